/** The image qualities in words. */
import type { Profile } from "../../wire/catalog/jobs";

export const QUALITY_NAMES: Readonly<Record<Profile, string>> = { visual: "Visually lossless", lossless: "Lossless" };

export const QUALITY_MEANINGS: Readonly<Record<Profile, string>> = {
  visual: "Looks the same as the original and is much smaller.",
  lossless: "Every pixel exactly as in the file.",
};
