/** A view for the push connection: what of a field and of the field ahead is missing here. Pure (wire/push.md, WI115, WI116). */
import { type Address, keyOf } from "../../geometry/pyramid";
import type { PushView, Rectangle } from "../../wire/slides/pushClient";
import type { BlockCache } from "../blockCache";
import type { FieldRequest } from "../pictures";
import { type Velocity, centreOf, fieldAhead, rectangleOf } from "./motion";

export interface PlannedView {
  readonly view: PushView;
  /** The block of each index of `held`. */
  readonly blocks: readonly Address[];
  /** What the service will send, unless the block is empty: by key, up to which layer. */
  readonly expected: ReadonlyMap<string, { readonly address: Address; readonly to: number }>;
}

/** WI115, WI116 */
const REGION_TILES = 2048;
const MOST_HELD = 4;
const NOT_WANTED = "-";

/** The view of a field; null where it cannot be sent: nothing is in view, only level L, or too many tiles. */
export function planView(
  { tiles, layers }: FieldRequest,
  velocity: Velocity,
  blockCache: BlockCache,
): PlannedView | null {
  const { pyramid } = blockCache;
  const [first] = tiles;
  if (!first || first.level >= pyramid.top) return null;
  const { z, c, level } = first;
  const field = rectangleOf(tiles);
  const ahead = fieldAhead(field, velocity, pyramid.tiles(level));
  const region = ahead && sizeOf(covering(field, ahead)) <= REGION_TILES ? covering(field, ahead) : field;
  if (sizeOf(region) > REGION_TILES) return null;
  const inField = keysOfChains(tiles, blockCache);
  const inAhead = region === field || !ahead ? new Set<string>() : keysOfChains(tilesOf(ahead, first), blockCache);
  const blocks: Address[] = [];
  const expected = new Map<string, { address: Address; to: number }>();
  let held = "";
  for (let shift = 0; level + shift < pyramid.top; shift += 1) {
    for (const address of tilesOf(shifted(region, shift), { z, c, level: level + shift })) {
      const key = keyOf(address);
      const wanted = inField.has(key) ? layers : inAhead.has(key) ? 1 : 0;
      const here = wanted === 0 ? null : heldLayers(address, blockCache);
      blocks.push(address);
      held += here === null ? NOT_WANTED : String(Math.min(here, MOST_HELD));
      if (here !== null && here < wanted) expected.set(key, { address, to: wanted });
    }
  }
  return { view: { z, level, region, field, held, layers, centre: centreOf(field), velocity }, blocks, expected };
}

/** Layers that are here; null: the service shall send nothing of this block. */
function heldLayers(address: Address, blockCache: BlockCache): number | null {
  const here = blockCache.cachedLayers(address);
  if (blockCache.isEmpty(address) === true || blockCache.corruptionOf(address)) return null;
  return blockCache.cachedOrPending(address) > here ? null : here; // what is on its way comes in a batch
}

function keysOfChains(tiles: Iterable<Address>, blockCache: BlockCache): Set<string> {
  const keys = new Set<string>();
  for (const tile of tiles) for (const address of blockCache.pyramid.chain(tile)) keys.add(keyOf(address));
  return keys;
}

function* tilesOf([left, up, columns, rows]: Rectangle, { z, c, level }: Omit<Address, "x" | "y">): Iterable<Address> {
  for (let y = up; y < up + rows; y += 1) for (let x = left; x < left + columns; x += 1) yield { z, c, level, x, y };
}

function covering(one: Rectangle, other: Rectangle): Rectangle {
  const [left, up] = [Math.min(one[0], other[0]), Math.min(one[1], other[1])];
  const [right, down] = [
    Math.max(one[0] + one[2], other[0] + other[2]),
    Math.max(one[1] + one[3], other[1] + other[3]),
  ];
  return [left, up, right - left, down - up];
}

function sizeOf([, , columns, rows]: Rectangle): number {
  return columns * rows;
}

/** The ancestors of a rectangle, so many levels up. */
function shifted([x, y, columns, rows]: Rectangle, shift: number): Rectangle {
  const [left, up] = [x >> shift, y >> shift];
  return [left, up, ((x + columns - 1) >> shift) - left + 1, ((y + rows - 1) >> shift) - up + 1];
}
