/** How the view becomes a picture: as what file, and what it has beside the slide. Remembered in this browser. */
import { PICTURE_PARTS, type PictureFormat, type PicturePart } from "@wavescope/viewer/view/pictureParts";
import { storedState } from "../../state/stored";

export interface Picturing {
  readonly format: PictureFormat;
  readonly parts: readonly PicturePart[];
}

export const picturing = storedState<Picturing>("wavescope.picture", readPicturing);

export function readPicturing({ format, parts }: Partial<Record<keyof Picturing, unknown>>): Picturing {
  return {
    format: format === "tiff" ? "tiff" : "png",
    parts: Array.isArray(parts) ? PICTURE_PARTS.filter((part) => parts.includes(part)) : PICTURE_PARTS,
  };
}
