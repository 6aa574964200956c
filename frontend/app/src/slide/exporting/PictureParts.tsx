import { Checkbox, Group } from "@mantine/core";
import type { ExportFormat, ExportRequest } from "@wavescope/core/wire/catalog/exportsClient";
import { PICTURE_PARTS, type PicturePart } from "@wavescope/viewer/view/pictureParts";
import { t } from "@wavescope/core/i18n/i18n";

const NAMES: Readonly<Record<PicturePart, string>> = {
  scale_bar: t("exporting.partScaleBar"),
  name: t("exporting.partName"),
  magnification: t("exporting.partMagnification"),
  annotations: t("exporting.partAnnotations"),
};
/** What the service draws on a region (WI145). */
const OF_REGION: readonly PicturePart[] = ["scale_bar", "annotations"];

interface Props {
  /** Null: the view as the screen shows it. */
  readonly region: ExportFormat | null;
  readonly value: readonly PicturePart[];
  readonly onChange: (value: readonly PicturePart[]) => void;
}

/** What a picture has beside the slide; the TIFF of a region, which is for analysis, has nothing but its pixels. */
export function PictureParts({ region, value, onChange }: Props) {
  const possible = possibleParts(region);
  const hint = region === null ? undefined : possible.length ? t("exporting.notOnRegion") : t("exporting.notOnTiff");
  return (
    <Checkbox.Group
      label={t("exporting.drawnOnIt")}
      description={hint}
      value={value.filter((part) => possible.includes(part))}
      onChange={(parts) => onChange(PICTURE_PARTS.filter((part) => parts.includes(part)))}
    >
      <Group gap="lg" mt={6}>
        {PICTURE_PARTS.map((part) => (
          <Checkbox key={part} value={part} label={NAMES[part]} disabled={!possible.includes(part)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

function possibleParts(region: ExportFormat | null): readonly PicturePart[] {
  if (region === null) return PICTURE_PARTS;
  return region.startsWith("tiff") ? [] : OF_REGION;
}

/** The request with what is chosen, as far as its format has it. */
export function withParts(request: ExportRequest, parts: readonly PicturePart[]): ExportRequest {
  const drawn = possibleParts(request.format).filter((part) => parts.includes(part));
  return { ...request, ...Object.fromEntries(drawn.map((part) => [part, true])) };
}
