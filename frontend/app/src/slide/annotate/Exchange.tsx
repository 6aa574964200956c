import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import type { DocumentFormat, ImportReport } from "@wavescope/core/wire/annotations/annotations";
import { explain } from "@wavescope/core/wire/http/explain";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { FileChooser } from "../../ui/FileChooser";
import { AddMeasurements } from "./AddMeasurements";
import { t } from "@wavescope/core/i18n/i18n";

const FORMATS: readonly { readonly format: DocumentFormat; readonly label: string }[] = [
  { format: "geojson", label: t("annotate.geojson") },
  { format: "w3c", label: t("annotate.webAnnotations") },
  { format: "csv", label: t("annotate.csv") },
];
const MAX_REASONS = 3; // reasons
/** Long words of another language take a second line. */
const WRAPPED = { label: { whiteSpace: "normal" } } as const;

/** Annotations out of and into files. */
export function Exchange({ annotations }: { readonly annotations: Annotations }) {
  const { store } = annotations;
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const [status, setStatus] = useState<string | null>(null);
  const importFile = async (file: File): Promise<void> => {
    setStatus(t("annotate.reading", { name: file.name }));
    try {
      setStatus(importSummary(await store.import(await formatOf(file), file, file.name)));
    } catch (error) {
      setStatus(explain(error));
    }
  };
  return (
    <Stack gap={4} component="section" aria-label={t("annotate.importAndExport")}>
      <Text size="sm" fw={600}>
        {t("annotate.files")}
      </Text>
      <Group gap="8px 12px">
        {FORMATS.map(({ format, label }) => (
          <Anchor key={format} size="xs" href={store.client.exportUrl(format)} download>
            {label}
          </Anchor>
        ))}
      </Group>
      <AddMeasurements annotations={annotations} />
      {editable && (
        <FileChooser accept=".json,.geojson,.jsonld" onChoose={(file) => void importFile(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" h="auto" mih={30} py={4} styles={WRAPPED}>
              {t("annotate.importFile")}
            </Button>
          )}
        </FileChooser>
      )}
      <Text size="xs" c="dimmed" role="status" data-testid="import-report">
        {status}
      </Text>
    </Stack>
  );
}

/** Web Annotations say so near their beginning. */
async function formatOf(file: File): Promise<"geojson" | "w3c"> {
  const head = await file.slice(0, 4096).text();
  return /anno\.jsonld|"AnnotationPage"|"AnnotationCollection"|"Annotation"/.test(head) ? "w3c" : "geojson";
}

function importSummary({ created, unchanged, skipped, reasons }: ImportReport): string {
  const sentences = [t("annotate.added", { count: created })];
  if (unchanged > 0) sentences.push(t("annotate.unchanged", { count: unchanged }));
  if (skipped > 0)
    sentences.push(t("annotate.skipped", { count: skipped, reasons: reasons.slice(0, MAX_REASONS).join("; ") }));
  return sentences.join(" ");
}
