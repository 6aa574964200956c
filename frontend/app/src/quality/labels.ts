/** The image qualities in words. */
import {
  type Preset,
  type Qualities,
  isPreset,
  psnrOfQuality,
  sigmaOfQuality,
} from "@wavescope/core/wire/catalog/jobs";
import type { SampleWindow } from "@wavescope/core/wire/catalog/advice";
import { t } from "@wavescope/core/i18n/i18n";

export const QUALITY_NAMES: Readonly<Record<Preset, string>> = {
  compact: t("quality.compact"),
  visual: t("quality.visuallyLossless"),
  fine: t("quality.fine"),
  auto: t("quality.auto"),
  lossless: t("quality.lossless"),
};

export const QUALITY_MEANINGS: Readonly<Record<Preset, string>> = {
  compact: t("quality.compactHint"),
  visual: t("quality.visuallyLosslessHint"),
  fine: t("quality.fineHint"),
  auto: t("quality.autoHint"),
  lossless: t("quality.losslessHint"),
};

/** The name of a preset; a PSNR as "40 dB", an error in units of noise as "0.3 σ". */
export function qualityName(quality: string): string {
  if (isPreset(quality)) return QUALITY_NAMES[quality];
  const [psnr, sigma] = [psnrOfQuality(quality), sigmaOfQuality(quality)];
  if (sigma !== null) return t("quality.inSigma", { sigma });
  return psnr === null ? quality : t("quality.decibels", { psnr });
}

/** The same inside a sentence. */
export function qualityInText(quality: string): string {
  return isPreset(quality) ? qualityName(quality).toLowerCase() : qualityName(quality);
}

/** Those of a file whose kind may not be known yet. */
export function qualitiesInText({ quality, channelQuality }: Qualities): string {
  const pictures = qualityInText(quality);
  return quality === channelQuality
    ? pictures
    : t("quality.ofEachKind", { pictures, channels: qualityInText(channelQuality) });
}

/** Which samples of a file with more than 8 bits became 0 and 255. */
export function windowLabel({ bits, low, high }: SampleWindow): string {
  return t("quality.sampleWindow", { bits, low, high });
}

/** What a score of SSIMULACRA 2 means to an observer (decision 0008). */
export function meaningOfScore(score: number): string {
  if (score >= 90) return t("quality.fineHint");
  if (score >= 80) return t("quality.sideBySideHint");
  return score >= 70 ? t("quality.compactHint") : t("quality.visibleHint");
}
