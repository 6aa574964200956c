/** The options of an import that were chosen last: files are imported in them until others are chosen. Stored in this browser. */
import type { Measure } from "@wavescope/core/wire/catalog/advice";
import { type Qualities, isPreset, psnrOfQuality, sigmaOfQuality } from "@wavescope/core/wire/catalog/jobs";

const QUALITY = "wavescope.quality";
const CHANNEL_QUALITY = "wavescope.channelQuality";
const DEFAULT = "visual";
const KEEP_ORIGINAL = "wavescope.keepOriginal";

const isOfPictures = (quality: string): boolean => isPreset(quality) || psnrOfQuality(quality) !== null;
const isOfChannels = (quality: string): boolean => isPreset(quality) || sigmaOfQuality(quality) !== null;

/** Whether it can be requested of such a file; `measure`, null: not known yet. */
export function isRequestable(quality: string, measure: Measure | null): boolean {
  if (measure === null) return isOfPictures(quality) || isOfChannels(quality);
  return measure === "sigma" ? isOfChannels(quality) : isOfPictures(quality);
}

/** Those that were chosen last. */
export function qualities(): Qualities {
  try {
    const [chosen, ofChannels] = [QUALITY, CHANNEL_QUALITY].map((key) => localStorage.getItem(key) ?? "");
    return {
      quality: isOfPictures(chosen!) ? chosen! : DEFAULT,
      channelQuality: [ofChannels!, chosen!].find(isOfChannels) ?? DEFAULT,
    };
  } catch {
    return { quality: DEFAULT, channelQuality: DEFAULT }; // a browser that stores nothing
  }
}

/** The one of a file's kind; where it cannot be requested of it, the one that was chosen last. */
export function qualityOfKind(requested: Qualities, measure: Measure | null): string {
  const ofKind = ({ quality, channelQuality }: Qualities): string => (measure === "sigma" ? channelQuality : quality);
  return isRequestable(ofKind(requested), measure) ? ofKind(requested) : ofKind(qualities());
}

/** With another one chosen, of the kind of file for which that is possible; `measure`: of the file, null: not known yet. */
export function withChosen(before: Qualities, chosen: string, measure: Measure | null): Qualities {
  const channels = measure === null ? isOfChannels(chosen) : measure === "sigma";
  const pictures = measure === null ? isOfPictures(chosen) : measure !== "sigma";
  return {
    quality: pictures ? chosen : before.quality,
    channelQuality: channels ? chosen : before.channelQuality,
  };
}

export function rememberQuality(chosen: string, measure: Measure | null): void {
  const { quality, channelQuality } = withChosen(qualities(), chosen, measure);
  try {
    localStorage.setItem(QUALITY, quality);
    localStorage.setItem(CHANNEL_QUALITY, channelQuality);
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
