/** The image qualities in words. */
import type { Profile } from "../../wire/catalog/jobs";
import { t } from "../../i18n/i18n";

export const QUALITY_NAMES: Readonly<Record<Profile, string>> = {
  visual: t("quality.visuallyLossless"),
  lossless: t("quality.lossless"),
};

export const QUALITY_MEANINGS: Readonly<Record<Profile, string>> = {
  visual: t("quality.visuallyLosslessHint"),
  lossless: t("quality.losslessHint"),
};
