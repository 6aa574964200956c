/** The curve that is drawn: what answers take over clients, nodes or caches. */
import { percentile, predict } from "./formulas/response";
import { sizesOf } from "./formulas/search";
import type { Equipment, Situation } from "./formulas/situation";

export type Over = "clients" | "nodes" | "edge_gb";

export interface CurvePoint {
  readonly at: number;
  readonly mean: number;
  readonly slow: number;
}

const POINTS = 48;
const SIMULATED = 8;
/** Simulated points are not more than so many times less than the last: far below, nothing waits. */
const RANGE = 30;
const MOST_NODES = 10_000;
const MOST_CLIENTS = 1_000_000;

export const presentOf = (over: Over, given: Situation, bought: Equipment): number =>
  over === "clients" ? given.clients : bought[over];

/** The values of the horizontal axis; `goodFor`: clients up to which the goal is met. */
export function valuesOf(over: Over, given: Situation, bought: Equipment, goodFor: number): number[] {
  if (over === "edge_gb") return [...new Set([...sizesOf(given), bought.edge_gb])].sort((one, other) => one - other);
  if (over === "nodes") {
    const most = Math.min(MOST_NODES, Math.max(6, bought.nodes * 2));
    return spread(1, most, POINTS, false, bought.nodes);
  }
  const most = Math.min(MOST_CLIENTS, Math.max(20, given.clients * 2, goodFor * 1.6));
  return spread(Math.max(1, most / 300), most, POINTS, true, given.clients);
}

/** Whole numbers, and one that must be there. */
function spread(low: number, high: number, count: number, log: boolean, present: number): number[] {
  const found = new Set([present]);
  for (let step = 0; step < count; step++) {
    const part = step / (count - 1);
    found.add(Math.max(1, Math.round(log ? low * (high / low) ** part : low + (high - low) * part)));
  }
  return [...found].sort((one, other) => one - other);
}

export function changed(over: Over, at: number, given: Situation, bought: Equipment): [Situation, Equipment] {
  return over === "clients" ? [{ ...given, clients: at }, bought] : [given, { ...bought, [over]: at }];
}

export function curveOf(over: Over, values: readonly number[], given: Situation, bought: Equipment): CurvePoint[] {
  return values.map((at) => {
    const found = predict(...changed(over, at, given, bought));
    return { at, mean: found.mean, slow: percentile(found, 95) };
  });
}

/** Few of the values, with the present one: these are simulated. */
export function simulatedValues(values: readonly number[], present: number, most: number): number[] {
  const last = Math.min(most, values.at(-1) ?? 0);
  const possible = values.filter((value) => value <= most && value >= last / RANGE);
  const step = Math.max(1, (possible.length - 1) / (SIMULATED - 2));
  const found = new Set<number>();
  for (let at = 0; at < possible.length - 0.5; at += step) found.add(possible[Math.round(at)]!);
  if (present <= most) found.add(present);
  return [...found].sort((one, other) => one - other);
}
