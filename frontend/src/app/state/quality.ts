/** The image quality chosen last: files are imported in it until another one is chosen. Stored in this browser. */
import { PROFILES, type Profile } from "../../wire/catalog/jobs";

const QUALITY = "wavescope.quality";

export function quality(): Profile {
  try {
    const stored = localStorage.getItem(QUALITY);
    return PROFILES.find((profile) => profile === stored) ?? "visual";
  } catch {
    return "visual"; // a browser that keeps nothing
  }
}

export function rememberQuality(profile: Profile): void {
  try {
    localStorage.setItem(QUALITY, profile);
  } catch {
    // asked for again next time
  }
}
