/** The cheapest equipment that meets a goal, and what breaks first (planning/search.py, planning/curves.py; SI22, SI23). */
import { type PartName, type Prediction, busiest, predict, within } from "./response";
import { type Equipment, type Prices, type Situation, siteClients } from "./situation";

const MAX_NODES = 10_000;
const MAX_CLIENTS = 1_000_000;
const LADDER_GB = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];

export interface Goal {
  readonly meanSeconds: number;
  /** 95 % of the answers within so many seconds; 0: no such goal. */
  readonly p95Seconds: number;
  /** No part is busy for more than this part of the time. */
  readonly mostBusy: number;
}

export const meets = (goal: Goal, found: Prediction): boolean =>
  found.mean <= goal.meanSeconds &&
  busiest(found).utilisation <= goal.mostBusy &&
  (goal.p95Seconds === 0 || within(found, goal.p95Seconds) >= 0.95);

export function priceOf(given: Situation, bought: Equipment, prices: Prices): number {
  const edges = siteClients(given) > 0 && bought.edge_gb > 0 ? given.sites : 0;
  return bought.nodes * nodePrice(bought, prices) + edges * (prices.edge + bought.edge_gb * prices.edge_gb);
}

const nodePrice = (bought: Equipment, prices: Prices): number => prices.node + bought.node_gb * prices.node_gb;

/** Caches that are worth trying: none, and sizes up to the first that has space for all slides in use. */
export function sizesOf(given: Situation): number[] {
  const enough = LADDER_GB.findIndex((size) => size >= given.slides * given.slide_gb);
  return [0, ...LADDER_GB.slice(0, enough < 0 ? undefined : enough + 1)];
}

/** Null: nothing meets the goal; `obstacle` says why. */
export function cheapest(given: Situation, goal: Goal, prices: Prices): Equipment | null {
  const sizes = sizesOf(given);
  const met = (bought: Equipment): boolean => meets(goal, predict(given, bought));
  let best: Equipment | null = null;
  for (const edge_gb of siteClients(given) > 0 ? sizes : [0]) {
    if (!met({ nodes: MAX_NODES, edge_gb, node_gb: sizes[sizes.length - 1]! })) continue; // nothing behind these edges helps
    for (const node_gb of sizes) {
      const one = { nodes: 1, edge_gb, node_gb };
      const budget = best ? priceOf(given, best, prices) : Infinity;
      const found = leastNodes(one, affordable(given, one, prices, budget), met);
      if (found && priceOf(given, found, prices) < budget) best = found;
    }
  }
  return best;
}

function affordable(given: Situation, one: Equipment, prices: Prices, budget: number): number {
  const each = nodePrice(one, prices);
  const left = budget - (priceOf(given, one, prices) - each);
  if (each <= 0) return left > 0 ? MAX_NODES : 0;
  return Math.max(0, Math.min(MAX_NODES, Math.floor(left / each)));
}

/** The least number of nodes up to `most` that meets the goal: doubling, then halving. */
function leastNodes(one: Equipment, most: number, met: (bought: Equipment) => boolean): Equipment | null {
  if (most < 1) return null;
  let [low, high] = [0, 1];
  while (!met({ ...one, nodes: high })) {
    if (high >= most) return null;
    [low, high] = [high, Math.min(most, high * 2)];
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (met({ ...one, nodes: middle })) high = middle;
    else low = middle;
  }
  return { ...one, nodes: high };
}

export interface Obstacle {
  readonly part: PartName;
  /** Busy for this part of the time, or taking these seconds of the mean. */
  readonly busy: number | null;
  readonly seconds: number;
  /** Only this part of the answers comes in time; null: the mean, or how busy it is, is in the way. */
  readonly within: number | null;
}

/** What stands in the way of a goal that nothing meets. */
export function obstacle(given: Situation, goal: Goal): Obstacle {
  const most = sizesOf(given).at(-1) ?? 0;
  const choices = (siteClients(given) > 0 ? [most, 0] : [0]).map((edge_gb) =>
    predict(given, { nodes: MAX_NODES, edge_gb, node_gb: most }),
  );
  const over = (found: Prediction): number => Math.max(0, busiest(found).utilisation - goal.mostBusy);
  const found = choices.sort((one, other) => over(one) - over(other) || one.mean - other.mean)[0]!;
  const first = busiest(found);
  if (first.utilisation > goal.mostBusy)
    return { part: first.name, busy: first.utilisation, seconds: first.seconds, within: null };
  const slowest = found.parts.reduce((most_, part) => (part.seconds > most_.seconds ? part : most_));
  const late = found.mean <= goal.meanSeconds ? within(found, goal.p95Seconds) : null;
  return { part: slowest.name, busy: null, seconds: slowest.seconds, within: late };
}

/** The clients up to which the equipment meets its goal (0: not even one), and the busiest part there. */
export function breaksFirst(given: Situation, bought: Equipment, goal: Goal): { clients: number; part: PartName } {
  const found = (clients: number): Prediction => predict({ ...given, clients }, bought);
  let [low, high] = [0, 1];
  while (high < MAX_CLIENTS && meets(goal, found(high))) [low, high] = [high, Math.min(MAX_CLIENTS, high * 2)];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (meets(goal, found(middle))) low = middle;
    else high = middle;
  }
  return { clients: low, part: busiest(found(high)).name };
}
