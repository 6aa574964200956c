/** A closed system: groups of clients, each with stations of its own, that share the nodes (planning/closed.py, SI21). */
import { NONE, type Wait, wait } from "./queues";
import { risingRoot } from "./roots";

/** One server that the clients of a group share. */
export interface Station {
  /** For each request. */
  readonly visits: number;
  readonly service: number;
  readonly variation: number;
}

export interface Crowd {
  readonly groups: number;
  /** Of each group. */
  readonly clients: number;
  readonly stations: readonly Station[];
  /** Seconds, thinking too. */
  readonly constant: number;
  /** Visits to a node for each request. */
  readonly misses: number;
}

/** Requests per second of one client, and the waiting of each visit to the stations. */
export interface Flow {
  readonly rate: number;
  readonly waits: readonly Wait[];
}

export interface Nodes {
  readonly number: number;
  readonly processors: number;
  readonly service: number;
  readonly variation: number;
}

export const everyone = (crowd: Crowd): number => crowd.groups * crowd.clients;
export const demand = (station: Station): number => station.visits * station.service;
const sum = (values: readonly number[]): number => values.reduce((whole, value) => whole + value, 0);

/** The flow of each crowd, and the waiting at the nodes. */
export function solve(crowds: readonly Crowd[], nodes: Nodes): { flows: Flow[]; waits: Wait } {
  const others = Math.max(0, 1 - 1 / sum(crowds.map(everyone)));
  const atNodes = (seconds: number): Wait => {
    const rate = sum(crowds.map((crowd) => everyone(crowd) * crowd.misses * flowOf(crowd, seconds).rate));
    return wait((rate / nodes.number) * others, nodes.service, nodes.variation, nodes.processors);
  };
  const waits = atNodes(rootOf((seconds) => atNodes(seconds).mean));
  return { flows: crowds.map((crowd) => flowOf(crowd, waits.mean)), waits };
}

function flowOf(crowd: Crowd, nodeWait: number): Flow {
  if (everyone(crowd) <= 0) return { rate: 0, waits: crowd.stations.map(() => NONE) };
  const constant = crowd.constant + crowd.misses * nodeWait + sum(crowd.stations.map(demand));
  const used = crowd.stations.filter((station) => demand(station) > 0);
  const full = crowd.clients > 1 ? used.map((station) => 1 / (crowd.clients * demand(station))) : [];
  const most = Math.min(1 / constant, ...full);
  const excess = (rate: number): number =>
    rate * (constant + sum(used.map((station) => station.visits * waitOf(crowd, station, rate).mean))) - 1;
  const rate = excess(most) <= 0 ? most : risingRoot(excess, 0, most);
  return { rate, waits: waitsOf(crowd, rate, 1 / rate - constant) };
}

/** By station; `waiting`: of all visits of a request. What a full station cannot explain otherwise is its own. */
function waitsOf(crowd: Crowd, rate: number, waiting: number): Wait[] {
  const waits = crowd.stations.map((station) => (demand(station) > 0 ? waitOf(crowd, station, rate) : NONE));
  const more = waiting - sum(waits.map((one, place) => crowd.stations[place]!.visits * one.mean));
  const demands = crowd.stations.map(demand);
  const busiest = demands.indexOf(Math.max(...demands));
  const { mean, variance } = waits[busiest]!;
  if (more > 1e-9 * waiting && mean > 0) {
    const added = mean + more / crowd.stations[busiest]!.visits;
    waits[busiest] = { mean: added, variance: variance * (added / mean) ** 2 };
  }
  return waits;
}

/** Of each visit. */
function waitOf(crowd: Crowd, { visits, service, variation }: Station, rate: number): Wait {
  return wait(rate * Math.max(0, crowd.clients - 1) * visits, service, variation);
}

/** The x at which a falling function is x. */
function rootOf(falling: (x: number) => number): number {
  if (falling(0) <= 0) return 0;
  let high = 1e-3;
  while (falling(high) > high) high *= 2;
  return risingRoot((x) => x - falling(x), 0, high);
}
