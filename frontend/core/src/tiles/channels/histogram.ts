/** How the samples of a channel are spread, from a coarse picture of it; pure. */
import type { Values } from "../../codec/kernel";
import type { SampleRange } from "./mix";

export interface Histogram {
  /** The samples of the first and of the last bin. */
  readonly from: number;
  readonly to: number;
  /** How many samples lie in each bin. */
  readonly counts: readonly number[];
  /** The window that shows all but the darkest and the brightest thousandth. */
  readonly contrast: { readonly low: number; readonly high: number };
}

export const BINS = 96;
const CUT = 0.001;
/** Of what is between the darkest and the brightest sample, so much more is offered at each end: level 0 has both. */
const MARGIN = 0.5;

/** Null where there are no samples. */
export function histogramOf(values: Values, { least, most }: SampleRange): Histogram | null {
  if (values.length === 0) return null;
  const sorted = values.slice().sort();
  const [darkest, brightest] = [sorted[0]!, sorted[sorted.length - 1]!];
  const margin = Math.ceil(MARGIN * Math.max(1, brightest - darkest));
  const from = Math.max(least, darkest - margin);
  const to = Math.min(most, brightest + margin);
  const counts = new Array<number>(BINS).fill(0);
  const scale = BINS / (to - from + 1);
  for (const value of values) counts[Math.floor((value - from) * scale)]! += 1;
  const low = Math.min(sorted[Math.floor(CUT * (sorted.length - 1))]!, most - 1);
  const high = Math.max(low + 1, sorted[Math.ceil((1 - CUT) * (sorted.length - 1))]!);
  return { from, to, counts, contrast: { low, high } };
}

/** The ends of a slider for a window: the spread of the samples, and the window itself. */
export function endsFor(
  histogram: Histogram | null,
  { low, high }: { readonly low: number; readonly high: number },
  { least, most }: SampleRange,
): { readonly min: number; readonly max: number; readonly step: number } {
  const min = histogram ? Math.min(histogram.from, low) : least;
  const max = histogram ? Math.max(histogram.to, high) : most;
  return { min, max, step: Math.max(1, Math.floor((max - min) / 250)) };
}
