import { Radio } from "@mantine/core";
import type { Advice } from "../../wire/catalog/advice";
import { PRESETS, type Preset } from "../../wire/catalog/jobs";
import { bytesLabel, durationLabel } from "../ui/format";
import { QUALITY_MEANINGS, QUALITY_NAMES } from "./labels";
import { t } from "../../i18n/i18n";

/** dB that stand for "no pixel differs". */
const EXACT = 99;

interface Props {
  readonly name: string;
  readonly chosen: Preset | undefined;
  /** Undefined while it is being estimated: then the qualities have names and meanings only. */
  readonly advice: Advice | undefined;
  readonly onChoose: (preset: Preset) => void;
}

/** The image qualities of one file, with their sizes. Those without enough space cannot be chosen. */
export function QualityOptions({ name, chosen, advice, onChoose }: Props) {
  return (
    <Radio.Group
      value={chosen ?? null}
      onChange={(value) => onChoose(value as Preset)}
      aria-label={t("quality.imageQualityOf", { name })}
      mt="xs"
    >
      {PRESETS.map((option) => (
        <Radio
          key={option}
          value={option}
          my={6}
          label={labelOf(option, advice)}
          description={meaningOf(option, advice)}
          disabled={advice !== undefined && !advice.presets[option].fits}
        />
      ))}
    </Radio.Group>
  );
}

function meaningOf(preset: Preset, advice: Advice | undefined): string {
  const psnr = advice?.presets[preset].psnr ?? EXACT;
  if (psnr >= EXACT) return QUALITY_MEANINGS[preset];
  return t("quality.meaningAndPsnr", { meaning: QUALITY_MEANINGS[preset], psnr: psnr.toFixed(1) });
}

function labelOf(preset: Preset, advice: Advice | undefined): string {
  if (!advice) return QUALITY_NAMES[preset];
  const { bytes, seconds } = advice.presets[preset];
  return t("quality.estimate", {
    name: QUALITY_NAMES[preset],
    bytes: bytesLabel(bytes),
    seconds: durationLabel(seconds),
  });
}
