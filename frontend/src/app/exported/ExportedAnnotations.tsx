import { Checkbox, Stack, Text } from "@mantine/core";
import type { PartProps } from "../microscope/parts";
import { useAnnotations, useAnnotationState } from "../microscope/useAnnotations";
import { AnnotationList } from "../slide/annotate/AnnotationList";
import { SelectionEditor } from "../slide/annotate/SelectionEditor";
import { t } from "../../i18n/i18n";

/** The annotations of the export: to read, not to change. */
export function ExportedAnnotations({ scope, manifest }: PartProps) {
  const annotations = useAnnotations(scope);
  const { store } = annotations;
  const visible = useAnnotationState(annotations, (state) => state.visible);
  const labels = useAnnotationState(annotations, (state) => state.labels);
  return (
    <Stack gap="sm">
      <Text size="sm" role="note">
        {t("annotate.viewerHint")}
      </Text>
      <SelectionEditor annotations={annotations} manifest={manifest} />
      <AnnotationList annotations={annotations} manifest={manifest} search="" />
      <Checkbox
        size="xs"
        label={t("annotate.showAnnotations")}
        checked={visible}
        onChange={() => store.set({ visible: !visible })}
      />
      <Checkbox
        size="xs"
        label={t("annotate.showLabels")}
        checked={labels}
        onChange={() => store.set({ labels: !labels })}
      />
    </Stack>
  );
}
