import { Radio } from "@mantine/core";
import { useState } from "react";
import { type Advice, type Expected, expectedOf } from "@wavescope/core/wire/catalog/advice";
import { PRESETS, type Preset, isPreset } from "@wavescope/core/wire/catalog/jobs";
import { bytesLabel, durationLabel } from "../ui/format";
import { RequestedInput } from "./RequestedInput";
import { QUALITY_MEANINGS, QUALITY_NAMES } from "./labels";
import { type Unit, unitOf } from "./units";
import { t } from "@wavescope/core/i18n/i18n";

/** dB that stand for "no pixel differs". */
const EXACT = 99;
const REQUESTED = "requested";

interface Props {
  readonly name: string;
  /** A preset, a PSNR or an error; null: none, or a number out of range. */
  readonly chosen: string | null;
  /** Undefined while it is being estimated: then the qualities have names and meanings only. */
  readonly advice: Advice | undefined;
  readonly onChoose: (quality: string | null) => void;
  /** Those that are offered. */
  readonly presets?: readonly Preset[];
  /** Why a quality cannot be chosen, apart from the space; null: it can. */
  readonly rejection?: (quality: string, expected: Expected | null) => string | null;
}

/** The image qualities of one file: presets, and a PSNR (of channels an error) of the user's choice, with their sizes. */
export function QualityOptions({ name, chosen, advice, onChoose, presets = PRESETS, rejection = () => null }: Props) {
  const unit = unitOf(advice?.measure);
  const [entered, setEntered] = useState<number | null>();
  const value = entered === undefined ? (unit.valueOf(chosen ?? "") ?? unit.first) : entered;
  const requested = chosen === null || !isPreset(chosen);
  const wanted = value === null ? null : unit.qualityOf(value);
  const enter = (next: number | null): void => {
    setEntered(next);
    onChoose(next === null ? null : unit.qualityOf(next));
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
      onChange={(option) => onChoose(option === REQUESTED ? wanted : option)}
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
            description={withReason(meaningOf(preset, option, unit), option)}
            disabled={option.expected?.fits === false || option.reason !== null}
          />
        );
      })}
      <Radio
        value={REQUESTED}
        my={6}
        label={labelOf(unit.title, own)}
        description={withReason(own.expected ? unit.meaning(own.expected) : "", own)}
      />
      <RequestedInput key={unit.suffix} unit={unit} value={value} onEnter={enter} />
    </Radio.Group>
  );
}

interface Option {
  readonly expected: Expected | null;
  readonly reason: string | null;
}

function meaningOf(preset: Preset, { expected }: Option, unit: Unit): string {
  if (!expected || expected.psnr >= EXACT) return QUALITY_MEANINGS[preset];
  return unit.reached(QUALITY_MEANINGS[preset], expected);
}

const withReason = (text: string, { reason }: Option): string =>
  reason === null ? text : t("quality.optionWithReason", { text, reason });

function labelOf(name: string, { expected }: Option): string {
  if (!expected) return name;
  const { bytes, seconds } = expected;
  return t("quality.estimate", { name, bytes: bytesLabel(bytes), seconds: durationLabel(seconds) });
}
