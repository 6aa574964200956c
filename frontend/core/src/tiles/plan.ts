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
  /** One batch. First pictures' layers before the others, in each coarse levels first, then in the order in which the tiles were given. */
  readonly ranges: readonly BlockRange[];
}

/**
 * The layers below `layers` that the tiles and all their ancestors lack. Blocks that manifest or index call empty, blocks that are
 * corrupt and blocks on their way are never asked for.
 */
export function planFetch(tiles: readonly Address[], layers: number, blockCache: BlockCache): Plan {
  const pages = new Map<string, PageRef>();
  const [first, more]: [BlockRange[], BlockRange[]] = [[], []];
  const approximations: { address: Address; layer: number }[] = [];
  let underway = false; // first pictures' layers, asked for before: later ones would take the link from them
  for (const a of withAncestors(tiles, blockCache)) {
    const [empty, corruption] = [blockCache.isEmpty(a), blockCache.corruptionOf(a)];
    if (empty === undefined && !corruption) {
      pages.set(pageKey(blockCache.pageRef(a)), blockCache.pageRef(a));
      continue;
    }
    const from = blockCache.cachedOrPending(a);
    const to = Math.min(layers, corruption?.layer ?? layers);
    if (a.level < blockCache.pyramid.top && !empty && from > 0 && blockCache.cachedLayers(a) === 0) underway = true;
    if (from >= to || empty) continue;
    if (a.level === blockCache.pyramid.top) {
      for (let layer = from; layer < to; layer += 1) approximations.push({ address: a, layer });
      continue;
    }
    if (from === 0) first.push({ address: a, from, to: 1 });
    if (to > 1) more.push({ address: a, from: Math.max(from, 1), to });
  }
  return { pages: [...pages.values()], approximations, ranges: underway ? first : [...first, ...more] };
}

/** The tiles and their ancestors, each once, coarse levels first, otherwise in the order given. */
function withAncestors(tiles: readonly Address[], blockCache: BlockCache): Address[] {
  const all = new Map<string, Address>();
  for (const tile of tiles)
    for (const a of blockCache.pyramid.chain(tile)) if (!all.has(keyOf(a))) all.set(keyOf(a), a);
  return [...all.values()].sort((a, b) => b.level - a.level);
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
