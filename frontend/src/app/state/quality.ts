/** The image quality chosen last: files are imported in it until another one is chosen. Stored in this browser. */
import { isPreset, psnrOfQuality } from "../../wire/catalog/jobs";

const QUALITY = "wavescope.quality";
const DEFAULT = "visual";

export function quality(): string {
  try {
    const stored = localStorage.getItem(QUALITY) ?? DEFAULT;
    return isPreset(stored) || psnrOfQuality(stored) !== null ? stored : DEFAULT;
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
