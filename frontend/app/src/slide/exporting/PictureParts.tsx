import { Checkbox, Group } from "@mantine/core";
import type { ExportFormat, ExportRequest } from "@wavescope/core/wire/catalog/exportsClient";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { shownLabel } from "@wavescope/viewer/navigation/scale";
import { PICTURE_PARTS, type PicturePart } from "@wavescope/viewer/view/pictureParts";
import { t } from "@wavescope/core/i18n/i18n";

const NAMES: Readonly<Record<PicturePart, string>> = {
  scale_bar: t("exporting.partScaleBar"),
  name: t("exporting.partName"),
  magnification: t("exporting.partMagnification"),
  annotations: t("exporting.partAnnotations"),
};
interface Props {
  /** Null: the view as the screen shows it. */
  readonly region: ExportFormat | null;
  readonly value: readonly PicturePart[];
  readonly onChange: (value: readonly PicturePart[]) => void;
}

/** What a picture has beside the slide; the TIFF of a region, which is for analysis, has nothing but its pixels. */
export function PictureParts({ region, value, onChange }: Props) {
  const possible = possibleParts(region);
  const hint = possible.length ? undefined : t("exporting.notOnTiff");
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
  return region?.startsWith("tiff") ? [] : PICTURE_PARTS;
}

/** The request with what is chosen, as far as its format has it (WI145). */
export function withParts(request: ExportRequest, parts: readonly PicturePart[], manifest: Manifest): ExportRequest {
  const drawn = possibleParts(request.format).filter((part) => parts.includes(part));
  const magnification = shownLabel(1 / 2 ** request.level, manifest);
  const values = drawn.map((part) => [part, part === "magnification" ? magnification : true] as const);
  return { ...request, ...Object.fromEntries(values) };
}
