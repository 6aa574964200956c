/** What to ask for next: pure functions from what is wanted and what is cached to requests. */
import { type Address, keyOf } from "../geometry/pyramid";
import type { BlockRange } from "../wire/slides/slideClient";
import { type BlockCache, type PageRef, pageKey } from "./blockCache";
import type { Availability } from "./pictures";

export interface Plan {
  /** Pages of the layer index to fetch first: without them nothing more can be said. */
  readonly pages: readonly PageRef[];
  /** Single layers of approximations. */
  readonly approximations: readonly { readonly address: Address; readonly layer: number }[];
  /**
   * One batch: first pictures' layers, coarse levels first; what makes the tiles sharp, tile by tile in the order in which they were given,
   * so that they are made while others are on their way; the rest, coarse levels first.
   */
  readonly ranges: readonly BlockRange[];
}

/**
 * The layers below `layers` that the tiles (of one level) and all their ancestors lack; with `sharp` of them the tiles are sharp. Blocks
 * that manifest or index call empty, blocks that are corrupt and blocks on their way are never asked for.
 */
export function planFetch(tiles: readonly Address[], layers: number, blockCache: BlockCache, sharp = 1): Plan {
  const pages = new Map<string, PageRef>();
  const missing = new Map<Address, BlockRange>();
  const approximations: { address: Address; layer: number }[] = [];
  let underway = false; // first pictures' layers, asked for before: later ones would take the link from them
  const all = withAncestors(tiles, blockCache);
  for (const a of [...all].sort((one, other) => other.level - one.level)) {
    const [empty, corruption] = [blockCache.isEmpty(a), blockCache.corruptionOf(a)];
    if (empty === undefined && !corruption) {
      pages.set(pageKey(blockCache.pageRef(a)), blockCache.pageRef(a));
      continue;
    }
    const from = blockCache.cachedOrPending(a);
    const to = Math.min(layers, corruption?.layer ?? layers);
    if (a.level < blockCache.pyramid.top && !empty && from > 0 && blockCache.cachedLayers(a) === 0) underway = true;
    if (from >= to || empty) continue;
    if (a.level < blockCache.pyramid.top) missing.set(a, { address: a, from, to });
    else for (let layer = from; layer < to; layer += 1) approximations.push({ address: a, layer });
  }
  const coarseFirst = [...missing.values()];
  const first = within(coarseFirst, 0, 1);
  const refining = all.flatMap((a) => missing.get(a) ?? []);
  const ranges = underway
    ? first
    : [...first, ...within(refining, 1, sharp), ...within(coarseFirst, Math.max(1, sharp), layers)];
  return { pages: [...pages.values()], approximations, ranges };
}

/** The parts of the ranges in the layers [start, end). */
function within(ranges: readonly BlockRange[], start: number, end: number): BlockRange[] {
  return ranges
    .map(({ address, from, to }) => ({ address, from: Math.max(from, start), to: Math.min(to, end) }))
    .filter(({ from, to }) => from < to);
}

/** The tiles and their ancestors, each once: a tile, what it alone needs of its ancestors, the next tile. */
function withAncestors(tiles: readonly Address[], blockCache: BlockCache): Address[] {
  const all = new Map<string, Address>();
  for (const tile of tiles)
    for (const a of blockCache.pyramid.chain(tile)) if (!all.has(keyOf(a))) all.set(keyOf(a), a);
  return [...all.values()];
}

export function availabilityOf(tile: Address, blockCache: BlockCache): Availability {
  let layers = blockCache.layers;
  let attainable = blockCache.layers;
  let reason: string | null = null;
  for (const a of blockCache.pyramid.chain(tile)) {
    const corruption = blockCache.corruptionOf(a);
    if (corruption && corruption.layer < attainable) {
      attainable = corruption.layer;
      reason = corruption.reason;
    }
    if (blockCache.isEmpty(a) !== true) layers = Math.min(layers, blockCache.cachedLayers(a));
  }
  return { layers: Math.min(layers, attainable), attainable, reason };
}
