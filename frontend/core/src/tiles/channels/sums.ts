/**
 * Sums of what channels add to the pixels of a tile, before they are clipped (CM5). Red, green and blue are one number of three digits to the
 * base 2^14, which 64 channels fill at most: one addition adds all three, exactly, in a number of 53 bits. A channel is taken away as it was added.
 */
import type { Values } from "../../codec/kernel";
import { type Mix, type SampleRange, contributions } from "./mix";

const DIGIT = 14;
const GREEN = 2 ** DIGIT;
const RED = GREEN ** 2;

/** Contributions (red, green and blue of each sample) as such numbers. */
export function packed(added: Uint8Array): Float64Array {
  return Float64Array.from({ length: added.length / 3 }, (_, i) => {
    const at = 3 * i;
    return RED * added[at]! + GREEN * added[at + 1]! + added[at + 2]!;
  });
}

/** What the contributions change that replace others. */
export function difference(now: Float64Array, before: Float64Array): Float64Array {
  return now.map((one, i) => one - before[i]!);
}

/** Adds what the samples of a channel add; `added`: of each stored sample, from the least one on. */
export function addTo(sums: Float64Array, values: Values, added: Float64Array, least: number): void {
  for (let i = 0; i < values.length; i++) sums[i]! += added[values[i]! - least]!;
}

/** Writes red, green and blue of sums into RGBA, whose alpha stays as it is. */
export function clipTo(rgba: Uint8ClampedArray, sums: Float64Array): void {
  for (let i = 0, at = 0; i < sums.length; i++, at += 4) {
    const sum = sums[i]!;
    const red = (sum / RED) | 0;
    const rest = (sum - red * RED) | 0;
    rgba[at] = red; // clipped by the array
    rgba[at + 1] = rest >> DIGIT;
    rgba[at + 2] = rest & (GREEN - 1);
  }
}

/** RGBA, opaque, of planes of stored samples, one for each channel of the mix. */
export function mixed(planes: readonly Values[], mix: Mix, range: SampleRange): Uint8ClampedArray<ArrayBuffer> {
  const sums = new Float64Array(planes[0]?.length ?? 0);
  mix.forEach((shown, i) => addTo(sums, planes[i]!, packed(contributions(shown, range)), range.least));
  const rgba = new Uint8ClampedArray(4 * sums.length).fill(255);
  clipTo(rgba, sums);
  return rgba;
}
