// Walks over everything that seldom find a fault go through an eighth, drawn by a seed; `npm test -- --long` goes through all.
// Of the files `npm test` runs a quarter, drawn by the commit; every other command runs all.
import { createHash } from "node:crypto";
import { dice } from "./pictures.ts";

const FILES_SHARE = 4;
const SEED = process.env.TESTS_SEED; // set by npm test
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

/** The files that this run takes of those that prove the same kind of thing. */
export function drawnFiles(names: readonly string[]): readonly string[] {
  if (!SEED) return names;
  const seed = createHash("sha256").update(SEED).digest().readUInt32LE();
  return shuffled(names, seed).slice(0, Math.ceil(names.length / FILES_SHARE));
}
