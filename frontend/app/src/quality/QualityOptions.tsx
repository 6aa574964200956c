import { Radio } from "@mantine/core";
import { useState } from "react";
import { type Advice, type Expected, expectedOf } from "@wavescope/core/wire/catalog/advice";
import { PRESETS, type Preset, psnrOfQuality, qualityOfPsnr } from "@wavescope/core/wire/catalog/jobs";
import { bytesLabel, durationLabel } from "../ui/format";
import { PsnrInput } from "./PsnrInput";
import { QUALITY_MEANINGS, QUALITY_NAMES, meaningOfScore } from "./labels";
import { t } from "@wavescope/core/i18n/i18n";

/** dB that stand for "no pixel differs". */
const EXACT = 99;
const FIRST_PSNR = 40;
const REQUESTED = "psnr";

interface Props {
  readonly name: string;
  /** A preset or a PSNR; null: none, or a PSNR out of range. */
  readonly chosen: string | null;
  /** Undefined while it is being estimated: then the qualities have names and meanings only. */
  readonly advice: Advice | undefined;
  readonly onChoose: (quality: string | null) => void;
  /** Those that are offered. */
  readonly presets?: readonly Preset[];
  /** Why a quality cannot be chosen, apart from the space; null: it can. */
  readonly rejection?: (quality: string, expected: Expected | null) => string | null;
}

/** The image qualities of one file: presets and a PSNR of the user's choice, with their sizes. */
export function QualityOptions({ name, chosen, advice, onChoose, presets = PRESETS, rejection = () => null }: Props) {
  const [psnr, setPsnr] = useState<number | null>(psnrOfQuality(chosen ?? "") ?? FIRST_PSNR);
  const requested = chosen === null || psnrOfQuality(chosen) !== null;
  const wanted = psnr === null ? null : qualityOfPsnr(psnr);
  const enter = (value: number | null): void => {
    setPsnr(value);
    onChoose(value === null ? null : qualityOfPsnr(value));
  };
  const optionOf = (quality: string): Option => {
    const expected = (advice && expectedOf(advice, quality)) ?? null;
    const window = (quality === "lossless" && advice?.window) || null;
    return { expected, reason: window ? t("quality.losslessRefused", { ...window }) : rejection(quality, expected) };
  };
  const own = optionOf(wanted ?? "");
  return (
    <Radio.Group
      value={requested ? REQUESTED : chosen}
      onChange={(value) => onChoose(value === REQUESTED ? wanted : value)}
      aria-label={t("quality.imageQualityOf", { name })}
      mt="xs"
    >
      {presets.map((preset) => {
        const option = optionOf(preset);
        return (
          <Radio
            key={preset}
            value={preset}
            my={6}
            label={labelOf(QUALITY_NAMES[preset], option)}
            description={withReason(meaningOf(preset, option), option)}
            disabled={option.expected?.fits === false || option.reason !== null}
          />
        );
      })}
      <Radio
        value={REQUESTED}
        my={6}
        label={labelOf(t("quality.requestedPsnr"), own)}
        description={withReason(own.expected ? meaningOfScore(own.expected.score) : "", own)}
      />
      <PsnrInput psnr={psnr} onEnter={enter} />
    </Radio.Group>
  );
}

interface Option {
  readonly expected: Expected | null;
  readonly reason: string | null;
}

function meaningOf(preset: Preset, { expected }: Option): string {
  const psnr = expected?.psnr ?? EXACT;
  if (psnr >= EXACT) return QUALITY_MEANINGS[preset];
  return t("quality.meaningAndPsnr", { meaning: QUALITY_MEANINGS[preset], psnr: psnr.toFixed(1) });
}

const withReason = (text: string, { reason }: Option): string =>
  reason === null ? text : t("quality.optionWithReason", { text, reason });

function labelOf(name: string, { expected }: Option): string {
  if (!expected) return name;
  const { bytes, seconds } = expected;
  return t("quality.estimate", { name, bytes: bytesLabel(bytes), seconds: durationLabel(seconds) });
}
