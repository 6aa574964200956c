/** The rule of mixes, plainly: what mixers are compared with, and what makes single pictures. */
import type { Values } from "../../codec/kernel";
import { type Mix, type SampleRange, contributions } from "./mix";

/** RGBA, opaque, of planes of stored samples, one for each channel of the mix (CM2 to CM5). */
export function mixed(planes: readonly Values[], mix: Mix, range: SampleRange): Uint8ClampedArray<ArrayBuffer> {
  const sums = new Uint16Array(4 * (planes[0]?.length ?? 0));
  mix.forEach((shown, c) => addTo(sums, planes[c]!, contributions(shown, range), range.least));
  const rgba = new Uint8ClampedArray(sums); // which clips
  for (let at = 3; at < rgba.length; at += 4) rgba[at] = 255;
  return rgba;
}

function addTo(sums: Uint16Array, values: Values, added: Uint8Array, least: number): void {
  for (let i = 0, to = 0; i < values.length; i++, to += 4) {
    const from = 3 * (values[i]! - least);
    sums[to]! += added[from]!;
    sums[to + 1]! += added[from + 1]!;
    sums[to + 2]! += added[from + 2]!;
  }
}
