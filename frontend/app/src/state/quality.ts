/** The options of an import that were chosen last: files are imported in it until another one is chosen. Stored in this browser. */
import { isPreset, psnrOfQuality, sigmaOfQuality } from "@wavescope/core/wire/catalog/jobs";

const QUALITY = "wavescope.quality";
const DEFAULT = "visual";
const KEEP_ORIGINAL = "wavescope.keepOriginal";

export function quality(): string {
  try {
    const stored = localStorage.getItem(QUALITY) ?? DEFAULT;
    return isPreset(stored) || psnrOfQuality(stored) !== null || sigmaOfQuality(stored) !== null ? stored : DEFAULT;
  } catch {
    return DEFAULT; // a browser that stores nothing
  }
}

export function rememberQuality(chosen: string): void {
  try {
    localStorage.setItem(QUALITY, chosen);
  } catch {
    // the default is used next time
  }
}

/** Whether original files are stored beside the slides (WI133); undefined: never chosen, the service decides. */
export function keepOriginal(): boolean | undefined {
  try {
    const stored = localStorage.getItem(KEEP_ORIGINAL);
    return stored === null ? undefined : stored === "true";
  } catch {
    return undefined;
  }
}

export function rememberKeepOriginal(kept: boolean): void {
  try {
    localStorage.setItem(KEEP_ORIGINAL, String(kept));
  } catch {
    // the service decides next time
  }
}
