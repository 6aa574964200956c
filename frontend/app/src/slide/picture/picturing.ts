/** How the view becomes a picture: as what file, and what it has beside the slide. Remembered in this browser. */
import { createStore } from "zustand/vanilla";
import { PICTURE_PARTS, type PictureFormat, type PicturePart } from "@wavescope/viewer/view/pictureParts";

export interface Picturing {
  readonly format: PictureFormat;
  readonly parts: readonly PicturePart[];
}

const STORED = "wavescope.picture";
const FIRST: Picturing = { format: "png", parts: PICTURE_PARTS };

export const picturing = createStore<Picturing>(() => {
  try {
    return parsePicturing(localStorage.getItem(STORED));
  } catch {
    return FIRST;
  }
});

export function setPicturing(changes: Partial<Picturing>): void {
  picturing.setState(changes);
  try {
    localStorage.setItem(STORED, JSON.stringify(picturing.getState()));
  } catch {
    return; // browsers may forbid storage: then nothing is remembered
  }
}

/** What a browser has stored; where it is damaged, as if nothing were stored. */
export function parsePicturing(text: string | null): Picturing {
  try {
    const { format, parts } = JSON.parse(text ?? "{}") as Partial<Record<keyof Picturing, unknown>>;
    return {
      format: format === "tiff" ? "tiff" : "png",
      parts: Array.isArray(parts) ? PICTURE_PARTS.filter((part) => parts.includes(part)) : FIRST.parts,
    };
  } catch {
    return FIRST;
  }
}
