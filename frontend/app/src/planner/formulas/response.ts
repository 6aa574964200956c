/**
 * The service's formulas (backend's planning/) a second time, because a dragged slider moves a curve of 48 points with each frame (SI26).
 * Here: response times of a situation with some equipment, and how busy each part is (planning/response.py, SI21).
 */
import { type Crowd, type Flow, type Station, demand, everyone, solve } from "./closed";
import { type Hits, hitRatios } from "./hits";
import { type Wait, gammaCdf } from "./queues";
import { risingRoot } from "./roots";
import { type Equipment, type Situation, awayClients, siteClients } from "./situation";

export const PARTS = ["edge", "lan", "link", "away", "nodes", "store"] as const;
export type PartName = (typeof PARTS)[number];

export interface Part {
  readonly name: PartName;
  /** The part of the time in which it is busy. */
  readonly utilisation: number;
  /** Its share of the mean response time. */
  readonly seconds: number;
}

/** Requests of one kind: their share, the least time they take, mean and variance of what comes on top. */
interface Kind {
  readonly share: number;
  readonly least: number;
  readonly mean: number;
  readonly variance: number;
}

export interface Prediction {
  /** Seconds, of all; of clients at sites; of those elsewhere. */
  readonly mean: number;
  readonly site: number;
  readonly elsewhere: number;
  /** Requests per second. */
  readonly throughput: number;
  readonly hits: Hits;
  readonly parts: readonly Part[];
  readonly kinds: readonly Kind[];
}

interface Group {
  readonly crowd: Crowd;
  readonly flow: Flow;
  /** Of all requests. */
  readonly share: number;
}

export function predict(given: Situation, bought: Equipment): Prediction {
  const { slide_gb: slide } = given;
  const space = [bought.edge_gb / slide, (bought.nodes * bought.node_gb) / slide] as const;
  const hits = hitRatios(given.slides, given.popularity, given.first_views, ...space);
  const missed = 1 - hits.edge;
  const behind = given.node_cpu + (1 - hits.node) * given.store;
  const edge = { visits: bought.edge_gb > 0 ? 1 : 0, service: given.edge_cpu, variation: given.edge_variation };
  const site: Crowd = {
    groups: given.sites,
    clients: siteClients(given),
    stations: [edge, transfer(given, given.lan_mbit), { ...transfer(given, given.link_mbit), visits: missed }],
    constant: given.think_seconds + given.lan_ms / 1000 + missed * (given.link_ms / 1000 + behind),
    misses: missed,
  };
  const away: Crowd = {
    groups: awayClients(given),
    clients: 1,
    stations: [transfer(given, given.away_mbit)],
    constant: given.think_seconds + given.away_ms / 1000 + behind,
    misses: 1,
  };
  const { node_cores: processors, node_cpu: service, node_variation: variation } = given;
  const { flows, waits } = solve([site, away], { number: bought.nodes, processors, service, variation });
  const amounts = [everyone(site) * flows[0]!.rate, everyone(away) * flows[1]!.rate];
  const throughput = amounts[0]! + amounts[1]!;
  const groups = [site, away].map((crowd, at) => ({ crowd, flow: flows[at]!, share: amounts[at]! / throughput }));
  const [atSite, elsewhere] = flows.map(({ rate }) => (rate > 0 ? 1 / rate - given.think_seconds : 0)) as [
    number,
    number,
  ];
  return {
    mean: groups[0]!.share * atSite + groups[1]!.share * elsewhere,
    site: atSite,
    elsewhere,
    throughput,
    hits,
    parts: partsOf(given, bought, groups, throughput, { hits, waits }),
    kinds: [...siteKinds(given, groups[0]!, hits, waits), ...awayKinds(given, groups[1]!, hits, waits)].filter(
      ({ share }) => share > 0,
    ),
  };
}

/** What becomes full first if there are more clients. */
export const busiest = ({ parts }: Prediction): Part =>
  parts.reduce((most, part) => (part.utilisation > most.utilisation ? part : most));

/** The share of the requests that are answered within this time. */
export const within = ({ kinds }: Prediction, seconds: number): number =>
  kinds.reduce((sum, kind) => sum + kind.share * below(kind, seconds), 0);

/** The time within which this percentage of the requests is answered. */
export function percentile(found: Prediction, percent: number): number {
  let high = 1;
  while (within(found, high) < percent / 100 && high < 1e9) high *= 2;
  return risingRoot((seconds) => within(found, seconds) - percent / 100, 0, high);
}

const sizesOf = (given: Situation): (readonly [number, number])[] => [
  [given.full_share, given.full_bytes],
  [1 - given.full_share, given.fine_bytes],
];

function transfer(given: Situation, mbit: number): Station {
  const mean = sizesOf(given).reduce((sum, [share, size]) => sum + share * size, 0);
  const square = sizesOf(given).reduce((sum, [share, size]) => sum + share * size * size, 0);
  return { visits: 1, service: (mean * 8e-6) / mbit, variation: square / (mean * mean) - 1 };
}

function partsOf(
  given: Situation,
  bought: Equipment,
  groups: readonly Group[],
  whole: number,
  { hits, waits }: { readonly hits: Hits; readonly waits: Wait },
): Part[] {
  const stations = groups.flatMap(({ crowd, flow, share }) =>
    crowd.stations.map((station, at) => ({
      utilisation: Math.min(1, crowd.clients * flow.rate * demand(station)),
      seconds: share * station.visits * (flow.waits[at]!.mean + station.service),
    })),
  );
  const [site, away] = groups as [Group, Group];
  const toNodes = site.share * site.crowd.misses + away.share;
  const toStore = toNodes * (1 - hits.node);
  const trips = [
    0,
    site.share * given.lan_ms,
    site.share * site.crowd.misses * given.link_ms,
    away.share * given.away_ms,
  ];
  const processors = bought.nodes * given.node_cores;
  const found = [
    ...stations.map(({ utilisation, seconds }, at) => ({ utilisation, seconds: seconds + trips[at]! / 1000 })),
    {
      utilisation: Math.min(1, (whole * toNodes * given.node_cpu) / processors),
      seconds: toNodes * (waits.mean + given.node_cpu),
    },
    { utilisation: (whole * toStore) / given.store_rate, seconds: toStore * given.store },
  ];
  return PARTS.map((name, at) => ({ name, ...found[at]! }));
}

/** A hit of the edge, of a node, or neither; a full view or a fine move. */
function siteKinds(given: Situation, { crowd, flow, share }: Group, hits: Hits, waits: Wait): Kind[] {
  const [edge, lan, link] = flow.waits as [Wait, Wait, Wait];
  const cpu = crowd.stations[0]!;
  const mean = lan.mean + cpu.visits * (edge.mean + cpu.service);
  const variance = lan.variance + cpu.visits * (edge.variance + cpu.variation * cpu.service ** 2);
  return sizesOf(given).flatMap(([part, size]) => {
    const near = given.lan_ms / 1000 + (size * 8e-6) / given.lan_mbit;
    const far = near + given.link_ms / 1000 + (size * 8e-6) / given.link_mbit;
    const missed = share * part * crowd.misses;
    const passed = { share: missed, least: far, mean: mean + link.mean, variance: variance + link.variance };
    return [
      { share: share * part * (1 - crowd.misses), least: near, mean, variance },
      ...behindNode(given, passed, hits, waits),
    ];
  });
}

function awayKinds(given: Situation, { flow, share }: Group, hits: Hits, waits: Wait): Kind[] {
  const link = flow.waits[0]!;
  return sizesOf(given).flatMap(([part, size]) => {
    const least = given.away_ms / 1000 + (size * 8e-6) / given.away_mbit;
    return behindNode(given, { share: share * part, least, ...link }, hits, waits);
  });
}

/** Requests that reach a node: what it has stored, and what the object store has. */
function behindNode(given: Situation, passed: Kind, hits: Hits, waits: Wait): Kind[] {
  const { share, least } = passed;
  const mean = passed.mean + waits.mean + given.node_cpu;
  const variance = passed.variance + waits.variance + given.node_variation * given.node_cpu ** 2;
  return [
    { share: share * hits.node, least, mean, variance },
    {
      share: share * (1 - hits.node),
      least,
      mean: mean + given.store,
      variance: variance + given.store_variation * given.store ** 2,
    },
  ];
}

/** The probability of an answer within this time. */
function below({ least, mean, variance }: Kind, seconds: number): number {
  const more = seconds - least;
  if (more <= 0) return 0;
  if (variance < 1e-18) return more >= mean ? 1 : 0;
  return gammaCdf((mean * mean) / variance, (more * mean) / variance);
}
