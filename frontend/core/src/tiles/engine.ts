/**
 * Keeps the tiles in view at their best: carries out what the scheduler decides, with a source of pictures and a cache of them. It
 * knows neither the viewer that draws the tiles nor the decoder that makes them.
 *
 * A picture is replaced by a better one in a single step; the picture of the former focal plane or variant stays until the new one is there.
 */
import { type Address, type Pyramid, address } from "../geometry/pyramid";
import { FetchScheduler } from "./fetchScheduler";
import type { TileHandle } from "./handle";
import type { Meter } from "./meter";
import { PictureCache } from "./pictureCache";
import type { PictureMaker } from "./pictures";
import * as scheduler from "./scheduler";
import type { OrderedView, Schedule, SchedulerState, View } from "./scheduler";
import { type Fidelity, type TileState, fidelityOf, stateOf } from "./state";
import type { Job } from "./tileRecord";

export interface EngineEvents {
  /** Something that is drawn has changed. */
  redraw(): void;
  /** States of tiles have changed. */
  changed(): void;
  /** The viewer shall drop this tile: its picture is evicted to stay within the budget. */
  evict(handle: TileHandle): void;
}

export interface EngineOptions {
  readonly pyramid: Pyramid;
  readonly channels: number;
  /** Layers of every block of the slide. */
  readonly layers: number;
  /** From how many layers on a tile of each level is sharp. */
  readonly sharp: readonly number[];
  readonly source: PictureMaker;
  readonly meter: Meter;
  /** Bytes of all pictures together. */
  readonly budget: number;
  readonly events: EngineEvents;
}

export class TileEngine {
  /** The top tile: it lies under everything, has the wanted plane and is never evicted. */
  readonly coarsest: TileHandle;
  private readonly cache: PictureCache;
  private readonly fetches: FetchScheduler;
  private readonly waiting = new Map<TileHandle, (() => void)[]>();
  private idleCallbacks: (() => void)[] = [];
  private view: OrderedView = scheduler.ordered({ z: 0, level: 0, tiles: [], moving: true });
  private state: SchedulerState;
  private closed = false;

  constructor(private readonly options: EngineOptions) {
    const { pyramid, source, layers, budget } = options;
    this.cache = new PictureCache(pyramid, budget, (handle) => this.evict(handle));
    this.fetches = new FetchScheduler(source);
    this.coarsest = this.handle(pyramid.top, 0, 0).retain();
    const none = new Map<string, TileHandle>();
    this.state = { top: pyramid.top, limit: layers, tiles: this.cache.tiles, visible: none, standIns: none };
  }

  get plane(): number {
    return this.view.z;
  }

  /** Of the pictures that are wanted; undefined where the source has one. */
  get variant(): string | undefined {
    return this.options.source.variant;
  }

  get bitmapBytes(): number {
    return this.cache.bytes;
  }

  /** The handle of a tile, if there is one. */
  peek(level: number, x: number, y: number): TileHandle | undefined {
    return this.cache.peek(level, x, y);
  }

  /** The handle of a tile; made when it is new. */
  handle(level: number, x: number, y: number): TileHandle {
    return this.cache.get(level, x, y);
  }

  /** Calls back once there is something to draw for the tile. */
  whenDrawable(handle: TileHandle, callback: () => void): void {
    if (handle.drawable) return callback();
    this.waiting.set(handle, [...(this.waiting.get(handle) ?? []), callback]);
  }

  setView(view: View): void {
    const { meter } = this.options;
    const planeChanged = view.z !== this.view.z;
    const before = planeChanged ? null : this.view.order;
    this.view = scheduler.ordered({ ...view, variant: this.variant });
    this.cache.nextView();
    for (const { level, x, y } of view.tiles) this.cache.touch(this.handle(level, x, y));
    const entered = view.tiles.filter((tile) => !before?.has(scheduler.keyOfTile(tile)));
    meter.cameIntoView(entered.length, entered.filter((tile) => this.availability(tile).layers >= 1).length);
    if (planeChanged) this.evictOutOfView();
    this.fetches.moved(view.next ?? []);
    this.update();
  }

  /**
   * Names tiles that may be looked at next for reasons outside this viewer; they replace those named before. Only first pictures' layers
   * are fetched, and only when nothing that is in view is left to fetch.
   */
  prefetchHint(tiles: readonly Address[]): void {
    if (!this.closed) this.fetches.prefetchHint(tiles);
  }

  /** The tiles that the viewer draws or waits for, of whatever level. */
  setVisible(handles: Iterable<TileHandle>): void {
    const visible = new Map<string, TileHandle>();
    for (const handle of handles) {
      visible.set(handle.key, handle);
      this.cache.touch(handle);
    }
    this.state = { ...this.state, visible };
    this.schedule();
  }

  /** The viewer has dropped the tile. */
  forget(handle: TileHandle): void {
    const { key } = handle;
    const inUse = handle.inUse || this.waiting.has(handle);
    if (inUse || this.view.order.has(key) || this.state.standIns.has(key) || !this.cache.has(handle)) return;
    handle.job = null;
    if (this.state.visible.has(key)) {
      const visible = [...this.state.visible].filter(([other]) => other !== key);
      this.state = { ...this.state, visible: new Map(visible) };
    }
    this.cache.delete(handle);
  }

  /** Draws no more than this many layers (null: all). */
  limitLayers(layers: number | null): void {
    const stored = this.options.layers;
    this.state = { ...this.state, limit: Math.max(1, Math.min(layers ?? stored, stored)) };
    this.update();
  }

  /** The source can make more than before, or makes another variant. */
  sourceChanged(): void {
    const { variant } = this;
    if (variant !== this.view.variant) {
      this.view = { ...this.view, variant };
      this.evictOutOfView();
      this.makeNow();
    }
    this.update();
  }

  states(): TileState[] {
    const { layers, sharp } = this.options;
    const { z, variant } = this.view;
    return this.view.tiles.map(({ level, x, y }) =>
      stateOf(this.handle(level, x, y), { z, variant, stored: layers, sharp: sharp[level]! }),
    );
  }

  fidelity(): Fidelity {
    return fidelityOf(this.states());
  }

  /** Resolves when the view rests and every tile of the field is as good as it can be, or the engine is closed. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.idleCallbacks.push(resolve);
      this.resolveIfIdle();
    });
  }

  close(): void {
    this.closed = true;
    this.fetches.close();
    for (const handle of this.cache.tiles.values()) handle.job = null;
    this.cache.clear();
    this.waiting.clear();
    this.resolveIdle();
  }

  private readonly availability: scheduler.AvailabilityOf = (tile) => this.options.source.availability(tile);

  private update(): void {
    if (this.closed) return;
    const { tiles, moving } = this.view;
    // Before the first view what was requested for it is on its way: a field without tiles would abort it.
    if (tiles.length > 0) this.fetches.setField({ tiles, layers: moving ? 1 : this.state.limit }, moving);
    this.schedule();
    this.resolveIfIdle();
    this.options.events.changed();
  }

  /** Starts what can be made and is not; what is no longer wanted drops out by its rank. */
  private schedule(): void {
    this.execute(scheduler.schedule(this.state, this.view, this.availability));
    this.options.source.reprioritise();
  }

  private execute({ decisions, standIns }: Schedule): void {
    this.state = { ...this.state, standIns };
    for (const { tile, damage, job } of decisions) {
      const handle = this.handle(tile.level, tile.x, tile.y);
      this.mark(handle, damage);
      if (job) void this.make(handle, job);
    }
  }

  /** What is shown becomes the new variant in this frame, wherever the source need not decode anything. */
  private makeNow(): void {
    const { source, events } = this.options;
    const { z, variant } = this.view;
    for (const handle of this.cache.tiles.values()) {
      const { picture, level, x, y } = handle;
      const bitmap = picture?.z === z && source.makeNow?.(address(z, level, x, y), picture.layers);
      if (bitmap) handle.show({ ...picture, bitmap, variant });
    }
    events.redraw();
  }

  private async make(handle: TileHandle, job: Job): Promise<void> {
    handle.job = job;
    const tile = address(job.z, job.level, job.x, job.y);
    try {
      const rank = (): number | null => scheduler.rankOf(this.state, this.view, job);
      const bitmap = await this.options.source.make(tile, job.layers, rank);
      const shown = bitmap !== null && this.cache.has(handle) && scheduler.isShown(this.state, this.view, job);
      if (handle.job === job) handle.job = null;
      if (!shown) return bitmap?.close();
      handle.succeeded();
      handle.show({ bitmap, z: job.z, variant: job.variant, layers: job.layers });
      this.shown(handle, tile);
    } catch (error) {
      if (handle.job === job) handle.job = null;
      this.failed(handle, error);
    }
  }

  private shown(handle: TileHandle, tile: Address): void {
    const { meter, channels, events } = this.options;
    if (this.view.order.has(handle.key)) meter.drew(tile, handle.size.width * handle.size.height * channels);
    this.release(handle);
    this.cache.shrink(({ key }) => scheduler.isNeeded(this.state, this.view, key));
    const { damage, job } = scheduler.decide(this.state, this.view, handle, this.availability);
    this.mark(handle, damage);
    if (job) void this.make(handle, job);
    events.redraw();
    this.resolveIfIdle();
    events.changed();
  }

  private failed(handle: TileHandle, error: unknown): void {
    handle.failed(error instanceof Error ? error.message : String(error));
    if (handle.failures < scheduler.MAX_FAILURES) return this.update();
    this.mark(handle, handle.failure);
    this.execute(scheduler.scheduleStandIns(this.state, this.view, this.availability));
    this.resolveIfIdle();
    this.options.events.changed();
  }

  private mark(handle: TileHandle, damage: string | null): void {
    if (handle.damage === damage) return;
    handle.damage = damage;
    if (damage !== null) this.release(handle);
    this.options.events.redraw();
  }

  /** Calls those that wait for something to draw. */
  private release(handle: TileHandle): void {
    const callbacks = this.waiting.get(handle) ?? [];
    this.waiting.delete(handle);
    for (const callback of callbacks) callback();
  }

  private resolveIfIdle(): void {
    if (this.closed) return this.resolveIdle();
    if (!scheduler.isSettled(this.state, this.view, this.availability)) return;
    this.fetches.viewFinished();
    this.resolveIdle();
  }

  private resolveIdle(): void {
    const idleCallbacks = this.idleCallbacks;
    this.idleCallbacks = [];
    for (const callback of idleCallbacks) callback();
  }

  /** Pictures of another plane or variant must not come back into view. */
  private evictOutOfView(): void {
    const { visible } = this.state;
    this.cache.evictAllBut(
      (handle) => this.view.order.has(handle.key) || visible.has(handle.key) || handle === this.coarsest,
    );
  }

  private evict(handle: TileHandle): void {
    this.options.events.evict(handle);
    this.forget(handle);
  }
}
