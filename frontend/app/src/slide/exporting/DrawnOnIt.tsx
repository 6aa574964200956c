import { Checkbox, Group } from "@mantine/core";
import type { ExportFormat, ExportRequest } from "@wavescope/core/wire/catalog/exportsClient";
import { t } from "@wavescope/core/i18n/i18n";

const CHOICES = [
  { value: "scale_bar", label: t("exporting.scaleBar") },
  { value: "annotations", label: t("common.annotations") },
] as const;

interface Props {
  readonly format: ExportFormat;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

/** What is drawn on a picture; a TIFF, which is for analysis, has nothing but its pixels. */
export function DrawnOnIt({ format, value, onChange }: Props) {
  const tiff = isTiff(format);
  return (
    <Checkbox.Group
      label={t("exporting.drawnOnIt")}
      description={tiff ? t("exporting.notOnTiff") : undefined}
      value={tiff ? [] : [...value]}
      onChange={onChange}
    >
      <Group gap="lg" mt={6}>
        {CHOICES.map((choice) => (
          <Checkbox key={choice.value} {...choice} disabled={tiff} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

/** The request with what is chosen; of a TIFF as it is. */
export function withDrawn(request: ExportRequest, drawn: readonly string[]): ExportRequest {
  if (isTiff(request.format)) return request;
  return { ...request, ...Object.fromEntries(drawn.map((name) => [name, true])) };
}

const isTiff = (format: ExportFormat): boolean => format.startsWith("tiff");
