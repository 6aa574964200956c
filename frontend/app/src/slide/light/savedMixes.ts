/** Changes of a slide's saved mixes, whose names differ. Pure. */
import type { SavedMix } from "@wavescope/core/wire/catalog/mixesClient";

export type Edit = (mixes: readonly SavedMix[]) => readonly SavedMix[];

/** In the place of the one with this name, else as the last. */
export const adding =
  (mix: SavedMix): Edit =>
  (mixes) =>
    mixes.some(({ name }) => name === mix.name)
      ? mixes.map((one) => (one.name === mix.name ? mix : one))
      : [...mixes, mix];

export const inserting =
  (mix: SavedMix, at: number): Edit =>
  (mixes) =>
    mixes.some(({ name }) => name === mix.name) ? mixes : mixes.toSpliced(at, 0, mix);

export const removing =
  (name: string): Edit =>
  (mixes) =>
    mixes.filter((one) => one.name !== name);

/** One of the new name makes way. */
export const renaming =
  (from: string, to: string): Edit =>
  (mixes) =>
    mixes
      .filter(({ name }) => name === from || name !== to)
      .map((one) => (one.name === from ? { ...one, name: to } : one));

export const moving =
  (name: string, by: 1 | -1): Edit =>
  (mixes) => {
    const at = mixes.findIndex((one) => one.name === name);
    const to = at + by;
    if (at < 0 || to < 0 || to >= mixes.length) return mixes;
    return mixes.toSpliced(at, 1).toSpliced(to, 0, mixes[at]!);
  };
