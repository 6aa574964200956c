/**
 * Decides which pictures to make next: pure functions from plain state, the view and what is available to jobs. They know neither
 * workers nor the network.
 *
 * First a picture from layer 0 for the whole field, centre first; when the view rests, a picture of all layers that are wanted. A damaged
 * tile is replaced on the screen by a stand-in: its finest ancestor that is intact.
 */
import { type Address, address } from "../geometry/pyramid";
import type { Availability } from "./pictures";
import { standInFor } from "./standIns";
import { type Job, type Look, type TileRecord, type TileRef, hasLook, tileKey } from "./tileRecord";

/** What the user looks at, or is moving to. */
export interface View extends Look {
  readonly level: number;
  /** The tiles of that level in view, nearest to the centre first. */
  readonly tiles: readonly Address[];
  readonly moving: boolean;
  /** What may be looked at next (the same field on other planes), likeliest first: fetched once all else is done. */
  readonly next?: readonly Address[];
}

/** A view with the position of each of its tiles in the order from the centre outward, by key. */
export interface OrderedView extends View {
  readonly order: ReadonlyMap<string, number>;
}

export interface SchedulerState {
  /** The pyramid's top level; its one tile lies under everything and is always wanted. */
  readonly top: number;
  /** Layers that are drawn at most. */
  readonly limit: number;
  /** Tiles that were seen, by key; a tile without a record is new. */
  readonly tiles: ReadonlyMap<string, TileRecord>;
  /** Tiles that the viewer draws or waits for, of whatever level. */
  readonly visible: ReadonlyMap<string, TileRef>;
  /** Coarser tiles that are shown in place of damaged ones of the field. */
  readonly standIns: ReadonlyMap<string, TileRef>;
}

export type AvailabilityOf = (tile: Address) => Availability;

/** What is decided about one tile. */
export interface Decision {
  readonly tile: TileRef;
  readonly damage: string | null;
  readonly job: Job | null;
}

export interface Schedule {
  /** In the order in which the jobs are to be started. */
  readonly decisions: readonly Decision[];
  readonly standIns: ReadonlyMap<string, TileRef>;
}

/** After so many failures in a row a tile counts as damaged. */
export const MAX_FAILURES = 3;

/** Added to the rank of pictures that replace one of the same look: all first pictures come before them. */
const REFINING = 1e9;
const RANKS_PER_LEVEL = 10_000;

const NEW: TileRecord = { picture: null, damage: null, job: null, failures: 0, failure: null };

export function keyOfTile({ level, x, y }: TileRef): string {
  return tileKey(level, x, y);
}

export function ordered(view: View): OrderedView {
  return { ...view, order: new Map(view.tiles.map((tile, order) => [keyOfTile(tile), order])) };
}

/** Jobs for all that can be made and is not, for the field, what else is visible, the top tile and the stand-ins, in this order. */
export function schedule(state: SchedulerState, view: OrderedView, availability: AvailabilityOf): Schedule {
  const decisions = new Map<string, Decision>();
  const consider = (key: string, tile: TileRef): void => {
    if (!decisions.has(key)) decisions.set(key, decide(state, view, tile, availability));
  };
  for (const tile of view.tiles) consider(keyOfTile(tile), tile);
  for (const [key, tile] of state.visible) consider(key, tile);
  consider(tileKey(state.top, 0, 0), { level: state.top, x: 0, y: 0 });
  const damaged = view.tiles.filter((tile) => decisions.get(keyOfTile(tile))?.damage != null);
  const standIns = standInsOf(state, view, damaged, availability);
  for (const [key, tile] of standIns) consider(key, tile);
  return { decisions: [...decisions.values()], standIns };
}

/** As `schedule`, of the stand-ins alone, for the damage that is marked already: a tile that has just failed is not tried again at once. */
export function scheduleStandIns(state: SchedulerState, view: OrderedView, availability: AvailabilityOf): Schedule {
  const damaged = view.tiles.filter((tile) => recordOf(state, keyOfTile(tile)).damage !== null);
  const standIns = standInsOf(state, view, damaged, availability);
  return { decisions: [...standIns.values()].map((tile) => decide(state, view, tile, availability)), standIns };
}

/** Whether a tile is damaged, and the picture to make of it now; no job where the best one is shown or on its way. */
export function decide(
  state: SchedulerState,
  view: OrderedView,
  { level, x, y }: TileRef,
  availability: AvailabilityOf,
): Decision {
  const key = tileKey(level, x, y);
  const record = recordOf(state, key);
  if (isFinished(state, view, record)) return { tile: { level, x, y }, damage: null, job: null };
  const available = availability(address(view.z, level, x, y));
  const unattainable = available.attainable < state.limit ? available.reason : null;
  const damage = unattainable ?? (record.failures >= MAX_FAILURES ? record.failure : null);
  const layers = Math.min(available.layers, state.limit);
  const order = view.order.get(key);
  const job =
    layers >= 1 && isWanted(state, view, record, order !== undefined, layers)
      ? { key, level, x, y, z: view.z, variant: view.variant, layers, order: order ?? 0 }
      : null;
  return { tile: { level, x, y }, damage, job };
}

/** Lower comes first: first pictures before better ones, coarse before fine, centre before edge. Null: the picture is no longer wanted. */
export function rankOf(state: SchedulerState, view: OrderedView, job: Job): number | null {
  const record = recordOf(state, job.key);
  if (record.job !== job || !hasLook(job, view)) return null;
  const order = view.order.get(job.key);
  if (order === undefined && !isNeeded(state, view, job.key)) return null;
  const first = !hasLook(record.picture, job);
  return (first ? 0 : REFINING) + (state.top - job.level) * RANKS_PER_LEVEL + (order ?? job.order);
}

/**
 * Whether a picture that has been made is shown: it is the one that is wanted, or it is better than what is shown while a still better one
 * is being made.
 */
export function isShown(state: SchedulerState, view: OrderedView, job: Job): boolean {
  const { job: wanted, picture } = recordOf(state, job.key);
  if (wanted === job) return true;
  return wanted !== null && hasLook(job, view) && job.layers <= state.limit && !hasLook(picture, job);
}

/** True when the view rests and every tile of the field is as good as it can be. */
export function isSettled(state: SchedulerState, view: OrderedView, availability: AvailabilityOf): boolean {
  if (view.moving || view.tiles.length === 0) return false;
  const { z } = view;
  const done = ({ level, x, y }: TileRef): boolean => {
    const { picture, damage, job, failures } = recordOf(state, tileKey(level, x, y));
    if (picture?.layers === state.limit && hasLook(picture, view)) return true;
    if (damage === null || job) return false;
    const { layers } = availability(address(z, level, x, y));
    return failures >= MAX_FAILURES || Math.min(layers, state.limit) === (picture?.layers ?? 0);
  };
  const standsIn = (key: string): boolean => {
    const { picture, damage } = recordOf(state, key);
    return damage !== null || hasLook(picture, view);
  };
  return view.tiles.every(done) && [...state.standIns.keys()].every(standsIn);
}

/** Whether the tile is of use now: it is in the field, visible, a stand-in, or the top tile. */
export function isNeeded(state: SchedulerState, view: OrderedView, key: string): boolean {
  return view.order.has(key) || state.visible.has(key) || state.standIns.has(key) || key === tileKey(state.top, 0, 0);
}

/** Whether all that is wanted of the tile is shown: nothing else need be known of it. */
function isFinished({ limit }: SchedulerState, view: View, { picture, damage, job }: TileRecord): boolean {
  return hasLook(picture, view) && picture?.layers === limit && damage === null && job === null;
}

function isWanted(
  { limit }: SchedulerState,
  view: View,
  { picture, job }: TileRecord,
  inField: boolean,
  layers: number,
): boolean {
  const current = picture !== null && hasLook(picture, view) && picture.layers <= limit;
  if (current && (!inField || picture.layers >= layers)) return false;
  if (!job || !hasLook(job, view)) return true;
  if (job.layers === layers) return false;
  const firstIsOnItsWay = !current && job.layers <= limit;
  return !firstIsOnItsWay || layers >= limit; // the best one replaces a first picture in the queue, one between them does not
}

/** For each damaged tile without a picture of this look, its finest ancestor that can be drawn. */
function standInsOf(
  state: SchedulerState,
  view: View,
  damaged: readonly TileRef[],
  availability: AvailabilityOf,
): ReadonlyMap<string, TileRef> {
  const standIns = new Map<string, TileRef>();
  for (const { level, x, y } of damaged) {
    if (hasLook(recordOf(state, tileKey(level, x, y)).picture, view)) continue;
    const above = standInFor(address(view.z, level, x, y), state.top, availability);
    if (above) standIns.set(keyOfTile(above), above);
  }
  return standIns;
}

function recordOf({ tiles }: SchedulerState, key: string): TileRecord {
  return tiles.get(key) ?? NEW;
}
