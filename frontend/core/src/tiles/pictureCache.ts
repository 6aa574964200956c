/** The tiles that have been seen, with their pictures, within a byte budget: the pictures out of view longest are dropped first. */
import type { Pyramid } from "../geometry/pyramid";
import { TileHandle } from "./handle";
import { tileKey } from "./tileRecord";

export class PictureCache {
  private readonly handles = new Map<string, TileHandle>();
  /** A running number: how many views there were. */
  private clock = 0;

  /** `budget`: bytes of all pictures together. `evict` is called for each tile whose picture is to be dropped. */
  constructor(
    private readonly pyramid: Pyramid,
    private readonly budget: number,
    private readonly evict: (handle: TileHandle) => void,
  ) {}

  /** All tiles, by key. */
  get tiles(): ReadonlyMap<string, TileHandle> {
    return this.handles;
  }

  get bytes(): number {
    let sum = 0;
    for (const handle of this.handles.values()) sum += handle.bytes;
    return sum;
  }

  /** The handle of a tile, if there is one. */
  peek(level: number, x: number, y: number): TileHandle | undefined {
    return this.handles.get(tileKey(level, x, y));
  }

  /** The handle of a tile; made when it is new. */
  get(level: number, x: number, y: number): TileHandle {
    const key = tileKey(level, x, y);
    let handle = this.handles.get(key);
    if (!handle) {
      handle = new TileHandle(level, x, y, this.pyramid.tileSize(level, x, y));
      handle.lastSeen = this.clock;
      this.handles.set(key, handle);
    }
    return handle;
  }

  has(handle: TileHandle): boolean {
    return this.handles.get(handle.key) === handle;
  }

  /** Another view begins: what is seen from now on is newer than all before. */
  nextView(): void {
    this.clock += 1;
  }

  /** Counts the tile as seen in this view. */
  touch(handle: TileHandle): void {
    handle.lastSeen = this.clock;
  }

  /** Closes the tile's picture and forgets the tile. */
  delete(handle: TileHandle): void {
    handle.show(null);
    this.handles.delete(handle.key);
  }

  /** Evicts the pictures that were out of view longest until the budget suffices; never those that are needed, nor the two coarsest levels. */
  shrink(isNeeded: (handle: TileHandle) => boolean): void {
    let { bytes } = this;
    if (bytes <= this.budget) return;
    const evictable = [...this.handles.values()].filter(
      (handle) => handle.bytes > 0 && handle.level < this.pyramid.top - 1 && !isNeeded(handle),
    );
    for (const handle of evictable.sort((a, b) => a.lastSeen - b.lastSeen)) {
      if (bytes <= this.budget) return;
      bytes -= handle.bytes;
      this.evict(handle);
    }
  }

  /** Evicts all tiles but those named. */
  evictAllBut(isNeeded: (handle: TileHandle) => boolean): void {
    for (const handle of [...this.handles.values()]) if (!isNeeded(handle)) this.evict(handle);
  }

  clear(): void {
    for (const handle of this.handles.values()) handle.show(null);
    this.handles.clear();
  }
}
