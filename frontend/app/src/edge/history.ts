/** What the status page of an edge draws, out of its samples. Pure. */
import type { EdgeSample, EdgeStatus, OriginSample } from "@wavescope/core/wire/accounts/edgeClient";

/** Null: not known at that time. */
export type Values = readonly (number | null)[];

/** As many samples as an edge stores. */
const MOST_SAMPLES = 450;

/** The status with the samples that are known already; only its own, if the edge was restarted (PG30). */
export function joined(known: EdgeStatus | undefined, next: EdgeStatus): EdgeStatus {
  const last = known?.samples.at(-1)?.number;
  const first = next.samples.at(0)?.number;
  if (!known || last === undefined) return next;
  if (first !== undefined && first <= last) return next;
  return { ...next, samples: [...known.samples, ...next.samples].slice(-MOST_SAMPLES) };
}

/** Per second between two samples, of what an edge counts; null for the first sample and where the edge was restarted. */
export function rates(samples: readonly EdgeSample[], read: (sample: EdgeSample) => number | null): Values {
  return samples.map((sample, i) => {
    const before = i > 0 ? read(samples[i - 1]!) : null;
    const now = read(sample);
    const seconds = i > 0 ? sample.at - samples[i - 1]!.at : 0;
    return before === null || now === null || now < before || seconds <= 0 ? null : (now - before) / seconds;
  });
}

/** What a value of one origin is at each sample; null while it had not joined. */
export const ofOrigin =
  (number: number, read: (origin: OriginSample) => number | null) =>
  (sample: EdgeSample): number | null => {
    const origin = sample.origins.find((one) => one.number === number);
    return origin ? read(origin) : null;
  };

export const hits = (sample: EdgeSample): number => sample.memory_hits + sample.disk_hits;

export const served = (sample: EdgeSample): number => sample.hit_bytes + sample.missed_bytes;

/** The share of hits between two samples, 0 to 1; null where nothing was read. */
export function ratios(samples: readonly EdgeSample[]): Values {
  const hit = rates(samples, hits);
  const missed = rates(samples, (sample) => sample.misses);
  return hit.map((value, i) => {
    const other = missed[i] ?? null;
    return value === null || other === null || value + other === 0 ? null : value / (value + other);
  });
}

/** The last sample, and the one `seconds` before it; null where there are not two of the same run of the edge. */
export function lastSeconds(samples: readonly EdgeSample[], seconds: number): readonly [EdgeSample, EdgeSample] | null {
  const last = samples.at(-1);
  const first = last && samples.find((sample) => sample.at >= last.at - seconds);
  return !last || !first || first === last || hits(first) > hits(last) || first.misses > last.misses
    ? null
    : [first, last];
}

/** Each value with those of the lines below it: what stacked areas are drawn from. */
export function stacked(lines: readonly Values[]): readonly Values[] {
  const sums: Values[] = [];
  for (const line of lines) {
    const below = sums.at(-1);
    sums.push(line.map((value, i) => (value === null ? null : value + (below?.[i] ?? 0))));
  }
  return sums;
}
