/** Which qualities a stored slide cannot be encoded again in (ST68). Pure. */
import type { Expected } from "@wavescope/core/wire/catalog/advice";
import { psnrOfQuality } from "@wavescope/core/wire/catalog/jobs";
import { storedPsnr } from "@wavescope/core/wire/slides/details";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { t } from "@wavescope/core/i18n/i18n";

/** dB by which a PSNR must lie below that of a lossy version. */
const LEAST_GAIN = 0.2;

/** The reason; null: nothing is against it as far as the page knows. `expected` null: not estimated yet. */
export function rejectionOf(
  { profile, details, bytes }: Pick<Manifest, "profile" | "details" | "bytes">,
  quality: string,
  expected: Expected | null,
): string | null {
  if (profile !== "lossless") {
    const requested = quality === "lossless" ? Infinity : (psnrOfQuality(quality) ?? 0);
    const most = (storedPsnr(details) ?? Infinity) - LEAST_GAIN;
    if (requested === Infinity || requested > most) return t("quality.notBetter");
    if (quality === details.chosen?.quality) return t("quality.notSmaller");
  }
  if (quality === "lossless" || (expected && bytes !== null && expected.bytes >= bytes)) return t("quality.notSmaller");
  return null;
}
