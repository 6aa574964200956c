// Walks over everything that seldom find a fault go through an eighth, drawn by a seed; `npm test -- --long` goes through all.
import { dice } from "./pictures.ts";

const LONG = process.env.WAVESCOPE_LONG === "1";
/** How many times as much the long form does. */
export const SHARE = LONG ? 1 : 8;

export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = dice(seed);
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** An eighth of the cases, at least one, in the order of the seed; all of them in the long form. */
export const sampled = <T>(cases: readonly T[], seed: number): T[] =>
  shuffled(cases, seed).slice(0, Math.ceil(cases.length / SHARE));
