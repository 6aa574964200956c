/** A picture as a TIFF. */
import { encode } from "utif2";

/** Rationals of a TIFF are two numbers of 32 bits. */
const PARTS = 100;
const DATA = 1000;
const CENTIMETRE = 3;
const NO_UNIT = 1;

/** Baseline TIFF 6.0: RGB of 8 bits, one strip, not compressed. `rgba`: width x height x 4; `perCm`: pixels per cm, null where nobody knows. */
export function tiffOf(
  rgba: Uint8ClampedArray,
  width: number,
  height: number,
  perCm: { readonly x: number; readonly y: number } | null,
): Blob {
  const rational = (value: number): [number, number][] => [[Math.round(value * PARTS), PARTS]];
  const tags = {
    t256: [width],
    t257: [height],
    t258: [8, 8, 8],
    t259: [1],
    t262: [2],
    t273: [DATA],
    t277: [3],
    t278: [height],
    t279: [width * height * 3],
    t282: rational(perCm?.x ?? 1),
    t283: rational(perCm?.y ?? 1),
    t284: [1],
    t296: [perCm ? CENTIMETRE : NO_UNIT],
    t305: ["Wavescope"],
  };
  const head = new Uint8Array(encode([tags as never]));
  const file = new Uint8Array(DATA + width * height * 3);
  file.set(head);
  for (let from = 0, to = DATA; from < rgba.length; from += 4, to += 3) {
    file[to] = rgba[from]!;
    file[to + 1] = rgba[from + 1]!;
    file[to + 2] = rgba[from + 2]!;
  }
  return new Blob([file], { type: "image/tiff" });
}
