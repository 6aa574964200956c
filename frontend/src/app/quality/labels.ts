/** The image qualities in words. */
import type { Preset } from "../../wire/catalog/jobs";
import { t } from "../../i18n/i18n";

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

/** The name of a preset; a PSNR such as "40dB" as it is. */
export function qualityName(quality: string): string {
  return quality in QUALITY_NAMES ? QUALITY_NAMES[quality as Preset] : quality;
}
