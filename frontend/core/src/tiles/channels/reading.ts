/** What is known of a sample that is shown (CM7). Pure. */
import type { Channel } from "../../wire/slides/manifest";

export type Reading =
  | { readonly kind: "exact"; readonly value: number }
  /** The sample of the file is at most `within` away. */
  | { readonly kind: "within"; readonly value: number; readonly within: number }
  /** A mean of several samples, or one that is still being refined. */
  | { readonly kind: "about"; readonly value: number };

/** Steps of one deviation of the noise leave no error of more than so many deviations. */
export const MOST_ERROR = 4;

export interface Shown {
  readonly value: number;
  readonly level: number;
  /** Whether all layers are decoded. */
  readonly whole: boolean;
}

export interface Stored {
  readonly lossless: boolean;
  /** The largest steps of a channel in deviations; null: not known. */
  readonly steps: number | null;
}

export function readingOf({ value, level, whole }: Shown, { lossless, steps }: Stored, { noise }: Channel): Reading {
  if (level > 0 || !whole) return { kind: "about", value };
  if (lossless) return { kind: "exact", value };
  if (!noise || steps === null) return { kind: "about", value };
  const { black, gain, read } = noise;
  const deviation = Math.sqrt(read ** 2 + gain * Math.max(0, value - black));
  return { kind: "within", value, within: Math.ceil(MOST_ERROR * steps * deviation) };
}
