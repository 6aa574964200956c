/** Hit ratios of an edge and of the nodes behind it, from the sizes of their caches (planning/hits.py; Che et al. 2002). */

const SINGLE = 32;
const WIDER = 1.15;
const STEPS = 60;

/** `number` slides with the same share of the views each. */
interface Group {
  readonly number: number;
  readonly share: number;
}

export interface Hits {
  readonly edge: number;
  readonly node: number;
}

/** All slides, the most popular first. */
function groupsOf(slides: number, popularity: number): Group[] {
  const weights: [number, number][] = [];
  for (let rank = 1; rank <= Math.min(slides, SINGLE); rank++) weights.push([1, rank ** -popularity]);
  for (let first = SINGLE + 1; first <= slides; ) {
    const last = Math.min(slides, Math.floor(first * WIDER));
    const count = last - first + 1;
    weights.push([count, integral(first - 0.5, last + 0.5, popularity) / count]);
    first = last + 1;
  }
  const whole = weights.reduce((sum, [count, weight]) => sum + count * weight, 0);
  return weights.map(([number, weight]) => ({ number, share: weight / whole }));
}

function integral(low: number, high: number, popularity: number): number {
  if (Math.abs(popularity - 1) < 1e-9) return Math.log(high / low);
  return (high ** (1 - popularity) - low ** (1 - popularity)) / (1 - popularity);
}

const known = new Map<string, Hits>();
const MOST_KNOWN = 5000;

/** `edge`, `nodes`: the slides that an edge, and all nodes together, have space for. */
export function hitRatios(slides: number, popularity: number, firstViews: number, edge: number, nodes: number): Hits {
  const key = [slides, popularity, firstViews, edge, nodes].join();
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const made = computed(groupsOf(slides, popularity), firstViews, edge, nodes);
  known.set(key, made);
  return made;
}

function computed(viewed: readonly Group[], firstViews: number, edge: number, nodes: number): Hits {
  const missed = afterCache(viewed, edge);
  const asked = views(missed);
  const hitEdge = ratio((1 - firstViews) * (1 - asked));
  if (asked < 1e-12) return { edge: hitEdge, node: 0 };
  const scaled = missed.map(({ number, share }) => ({ number, share: share / asked }));
  const again = 1 - views(afterCache(scaled, nodes));
  return { edge: hitEdge, node: ratio(((1 - firstViews) * asked * again) / (1 - hitEdge)) };
}

/** Without what rounding puts beside 0 and 1. */
const ratio = (value: number): number => Math.min(1, Math.max(0, value));

const views = (groups: readonly Group[]): number => groups.reduce((sum, { number, share }) => sum + number * share, 0);

/** What an LRU cache with space for `size` slides does not have. */
function afterCache(viewed: readonly Group[], size: number): Group[] {
  const time = characteristicTime(viewed, size);
  if (time === Infinity) return viewed.map(({ number }) => ({ number, share: 0 }));
  return viewed.map(({ number, share }) => ({ number, share: share * Math.exp(-share * time) }));
}

function characteristicTime(viewed: readonly Group[], size: number): number {
  const whole = viewed.reduce((sum, { number }) => sum + number, 0);
  if (size <= 0) return 0;
  if (size >= whole * (1 - 1e-9)) return Infinity;
  let high = 1;
  while (stored(viewed, high) < size && high < 1e30) high *= 2;
  let low = 0;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (stored(viewed, middle) < size) low = middle;
    else high = middle;
  }
  return low;
}

const stored = (viewed: readonly Group[], time: number): number =>
  viewed.reduce((sum, { number, share }) => sum - number * Math.expm1(-share * time), 0);
