import { SimpleGrid } from "@mantine/core";
import type { Region } from "@wavescope/core/geometry/field";
import { t } from "@wavescope/core/i18n/i18n";
import { NumberInput } from "../../ui/NumberInput";

const FIELDS = [
  { key: "l0_x", label: "x" },
  { key: "l0_y", label: "y" },
  { key: "l0_width", label: t("exporting.width") },
  { key: "l0_height", label: t("exporting.height") },
] as const;

interface Props {
  readonly region: Region;
  readonly onRegion: (region: Region) => void;
}

/** A rectangle typed in full-resolution pixels. */
export function RegionFields({ region, onRegion }: Props) {
  return (
    <SimpleGrid cols={2} spacing="xs">
      {FIELDS.map(({ key, label }) => (
        <NumberInput
          key={key}
          label={label}
          suffix=" px"
          min={0}
          allowDecimal={false}
          hideControls
          value={Math.round(region[key])}
          onChange={(value) => onRegion({ ...region, [key]: typeof value === "number" ? value : NaN })}
        />
      ))}
    </SimpleGrid>
  );
}
