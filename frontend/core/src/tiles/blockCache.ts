/**
 * What this browser holds of a slide, compressed: layers of blocks and pages of the layer index, each within a byte budget; what
 * is known to be corrupt; and what is on its way. No requests are made here.
 */
import { type Address, type Pyramid, keyOf } from "../geometry/pyramid";
import { ByteLru } from "../codec/byteLru";
import { type OccupancyMap, emptyByMap } from "../wire/slides/occupancyMap";
import { type LayerIndexPage, blockLength, isEmptyBlock, pageOf } from "../wire/slides/layerIndex";

export interface PageRef {
  readonly z: number;
  readonly c: number;
  readonly level: number;
  readonly page: number;
}

/** Layers of one block, always a prefix: 0, 1, ... */
type Layers = readonly Uint8Array[];

/** From `layer` on this block cannot be had. */
interface Corruption {
  readonly layer: number;
  readonly reason: string;
}

const PAGE_BUDGET = 16 << 20;

export class BlockCache {
  private readonly blocks: ByteLru<Layers>;
  private readonly pages = new ByteLru<LayerIndexPage>(PAGE_BUDGET);
  private readonly corruptPages = new Map<string, string>();
  private readonly corrupt = new Map<string, Corruption>();
  private readonly coming = new Map<string, number>();
  /** Layers that came before the ones that they continue. */
  private readonly early = new Map<string, Map<number, Layers>>();

  constructor(
    readonly pyramid: Pyramid,
    /** Layers of every block of the slide, and of the approximation. */
    readonly layers: number,
    budget: number | (() => number),
    /** What the manifest tells of them. */
    private readonly occupancy: OccupancyMap | null = null,
  ) {
    this.blocks = new ByteLru(budget);
  }

  get bytes(): number {
    return this.blocks.bytes;
  }

  pageRef(a: Address): PageRef {
    const { page } = pageOf(this.pyramid.tiles(a.level).columns, a.x, a.y);
    return { z: a.z, c: a.c, level: a.level, page };
  }

  addPage(ref: PageRef, page: LayerIndexPage): void {
    if (page.layers !== this.layers)
      return this.markPageCorrupt(ref, `the index speaks of ${page.layers} layers, the manifest of ${this.layers}`);
    this.pages.set(pageKey(ref), page, page.lengths.byteLength + 64);
  }

  markPageCorrupt(ref: PageRef, reason: string): void {
    this.corruptPages.set(pageKey(ref), reason);
  }

  /** True when nothing is stored for this block; undefined while neither the manifest tells nor a page of the index that is here. */
  isEmpty(a: Address): boolean | undefined {
    if (a.level === this.pyramid.top) return false;
    const occupancy = this.occupancy ? emptyByMap(this.occupancy, this.pyramid, a) : undefined;
    if (occupancy !== undefined) return occupancy;
    const page = this.pages.get(pageKey(this.pageRef(a)));
    if (!page) return undefined;
    const { column, row } = pageOf(this.pyramid.tiles(a.level).columns, a.x, a.y);
    return isEmptyBlock(page, column, row);
  }

  /** The lengths of the layers [from, to) by the index; null while its page is not here. */
  lengths(a: Address, from: number, to: number): number[] | null {
    const page = this.pages.get(pageKey(this.pageRef(a)));
    if (!page) return null;
    const { column, row } = pageOf(this.pyramid.tiles(a.level).columns, a.x, a.y);
    return Array.from({ length: to - from }, (_, i) => blockLength(page, column, row, from + i, from + i + 1));
  }

  /** How many layers are here. */
  cachedLayers(a: Address): number {
    return this.blocks.peek(keyOf(a))?.length ?? 0;
  }

  get(a: Address): Layers {
    return this.blocks.get(keyOf(a)) ?? [];
  }

  /** Appends layers; what comes too early waits for what it continues, as long as that is on its way. */
  add(a: Address, from: number, layers: Layers): void {
    const before = this.get(a);
    const early = this.early.get(keyOf(a)) ?? new Map<number, Layers>();
    if (before.length < from && this.coming.has(keyOf(a))) this.early.set(keyOf(a), early.set(from, layers));
    if (before.length !== from) return;
    const all = [...before, ...layers];
    for (let next = early.get(all.length); next; next = early.get(all.length)) {
      early.delete(all.length);
      all.push(...next);
    }
    if (early.size === 0) this.early.delete(keyOf(a));
    this.blocks.set(
      keyOf(a),
      all,
      all.reduce((sum, layer) => sum + layer.byteLength, 0),
    );
  }

  /** The layers from `layer` on are corrupt in the store. What came before stays usable. */
  markCorrupt(a: Address, layer: number, reason: string): void {
    const before = this.corrupt.get(keyOf(a));
    if (before && before.layer <= layer) return;
    this.corrupt.set(keyOf(a), { layer, reason });
    this.early.delete(keyOf(a));
    const good = this.get(a).slice(0, layer);
    if (good.length === 0) this.blocks.delete(keyOf(a));
    else
      this.blocks.set(
        keyOf(a),
        good,
        good.reduce((sum, layer) => sum + layer.byteLength, 0),
      );
  }

  corruptionOf(a: Address): Corruption | null {
    const corruption = this.corrupt.get(keyOf(a));
    if (corruption) return corruption;
    if (a.level === this.pyramid.top) return null;
    const reason = this.corruptPages.get(pageKey(this.pageRef(a)));
    return reason === undefined ? null : { layer: 0, reason };
  }

  /** Layers here or on their way. */
  cachedOrPending(a: Address): number {
    return Math.max(this.cachedLayers(a), this.coming.get(keyOf(a)) ?? 0);
  }

  expect(a: Address, to: number): void {
    this.coming.set(keyOf(a), Math.max(to, this.coming.get(keyOf(a)) ?? 0));
  }

  /** It came. */
  arrived(a: Address): void {
    if (this.cachedLayers(a) >= (this.coming.get(keyOf(a)) ?? 0)) this.expectNoMore(a);
  }

  /** It will not come. */
  expectNoMore(a: Address): void {
    this.coming.delete(keyOf(a));
    this.early.delete(keyOf(a));
  }
}

export function pageKey(ref: PageRef): string {
  return `${ref.z}/${ref.c}/${ref.level}/${ref.page}`;
}
