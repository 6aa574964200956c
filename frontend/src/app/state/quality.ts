/** The image quality chosen last: files are imported in it until another one is chosen. Stored in this browser. */
import { PRESETS, type Preset } from "../../wire/catalog/jobs";

const QUALITY = "wavescope.quality";

export function quality(): Preset {
  try {
    const stored = localStorage.getItem(QUALITY);
    return PRESETS.find((preset) => preset === stored) ?? "visual";
  } catch {
    return "visual"; // a browser that keeps nothing
  }
}

export function rememberQuality(preset: Preset): void {
  try {
    localStorage.setItem(QUALITY, preset);
  } catch {
    // asked for again next time
  }
}
