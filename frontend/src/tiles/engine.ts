/**
 * Keeps the tiles in view at their best: decides what to fetch, what to decode and in which order, and which pictures to give
 * up. It knows nothing of the viewer that draws them.
 *
 * First a picture from layer 0 for the whole field, centre first; when the view rests, all layers after it. A picture is replaced
 * by a better one in a single step; the former focal plane's picture stays until the new one's is there.
 */
import { type Address, type Pyramid, address } from "../geometry/pyramid";
import { DroppedError } from "../codec/pool";
import { FetchScheduler } from "./fetchScheduler";
import { TileHandle, handleKey } from "./handle";
import type { Meter } from "./meter";
import type { PictureSource } from "./pictures";
import { standInFor } from "./standIns";
import { type Fidelity, type TileState, fidelityOf } from "./state";

/** What the user looks at, or is moving to. */
export interface View {
  readonly z: number;
  readonly level: number;
  /** The tiles of that level in view, nearest to the centre first. */
  readonly tiles: readonly Address[];
  readonly moving: boolean;
  /** What may be looked at next (the same field on other planes), likeliest first: fetched once all else is done. */
  readonly next?: readonly Address[];
}

export interface EngineEvents {
  /** Something that is drawn has changed. */
  redraw(): void;
  /** States of tiles have changed. */
  changed(): void;
  /** The viewer shall forget this tile: its picture is given up to keep within the budget. */
  evict(handle: TileHandle): void;
}

interface Job {
  readonly z: number;
  readonly layers: number;
  readonly order: number;
}

const MOST_FAILURES = 3;
const REFINING = 1e9;

export class TileEngine {
  private readonly handles = new Map<string, TileHandle>();
  private readonly jobs = new Map<TileHandle, Job>();
  private readonly failures = new Map<TileHandle, number>();
  private readonly waiting = new Map<TileHandle, (() => void)[]>();
  private idlers: (() => void)[] = [];
  private view: View = { z: 0, level: 0, tiles: [], moving: true };
  private field = new Map<TileHandle, number>();
  private visible = new Set<TileHandle>();
  /** Coarser tiles that are shown in place of damaged ones of the field. */
  private standIns = new Set<TileHandle>();
  /** The top tile: it lies under everything, is kept at the wanted plane and never given up. */
  readonly coarsest: TileHandle;
  private limit: number;
  private clock = 0;
  private readonly asking: FetchScheduler;
  private closed = false;

  constructor(
    private readonly pyramid: Pyramid,
    private readonly channels: number,
    private readonly stored: number,
    /** From how many layers on a tile of each level is sharp. */
    private readonly sharp: readonly number[],
    private readonly source: PictureSource,
    private readonly meter: Meter,
    private readonly budget: number,
    private readonly events: EngineEvents,
  ) {
    this.limit = stored;
    this.asking = new FetchScheduler(source);
    this.coarsest = this.handle(pyramid.top, 0, 0).retain();
  }

  get plane(): number {
    return this.view.z;
  }

  get bitmapBytes(): number {
    let sum = 0;
    for (const handle of this.handles.values()) sum += handle.bytes;
    return sum;
  }

  /** The handle of a tile, if there is one. */
  peek(level: number, x: number, y: number): TileHandle | undefined {
    return this.handles.get(handleKey(level, x, y));
  }

  /** The handle of a tile; made when it is new. */
  handle(level: number, x: number, y: number): TileHandle {
    const key = handleKey(level, x, y);
    let handle = this.handles.get(key);
    if (!handle) {
      handle = new TileHandle(level, x, y, this.pyramid.tileSize(level, x, y));
      handle.lastSeen = this.clock;
      this.handles.set(key, handle);
    }
    return handle;
  }

  /** Calls back once there is something to draw in the tile's place. */
  whenDrawable(handle: TileHandle, callback: () => void): void {
    if (handle.drawable) return callback();
    this.waiting.set(handle, [...(this.waiting.get(handle) ?? []), callback]);
  }

  setView(view: View): void {
    const planeChanged = view.z !== this.view.z;
    const former = planeChanged ? new Map<TileHandle, number>() : this.field;
    this.view = view;
    this.clock += 1;
    this.field = new Map(view.tiles.map((a, order) => [this.handle(a.level, a.x, a.y), order]));
    for (const handle of this.field.keys()) handle.lastSeen = this.clock;
    const entered = view.tiles.filter((a) => !former.has(this.handle(a.level, a.x, a.y)));
    this.meter.cameIntoView(entered.length, entered.filter((a) => this.source.availability(a).layers >= 1).length);
    if (planeChanged) this.forgetUnseen();
    this.asking.moved(view.next ?? []);
    this.step();
  }

  /**
   * Names tiles that may be looked at next for reasons from outside; they take the place of those named before. Only first pictures'
   * layers are fetched, and only when nothing that is in view is left to fetch.
   */
  expect(tiles: readonly Address[]): void {
    if (!this.closed) this.asking.expect(tiles);
  }

  /** The tiles the viewer is drawing or waiting for, of whatever level. */
  setVisible(handles: Iterable<TileHandle>): void {
    this.visible = new Set(handles);
    for (const handle of this.visible) handle.lastSeen = this.clock;
    this.schedule();
  }

  /** The viewer has dropped the tile. */
  forget(handle: TileHandle): void {
    const key = handleKey(handle.level, handle.x, handle.y);
    const spoken = handle.inUse || this.field.has(handle) || this.waiting.has(handle) || this.standIns.has(handle);
    if (spoken || this.handles.get(key) !== handle) return;
    this.jobs.delete(handle);
    this.failures.delete(handle);
    this.visible.delete(handle);
    handle.show(null);
    this.handles.delete(key);
  }

  /** Draws no more than this many layers (null: all). */
  limitLayers(layers: number | null): void {
    this.limit = Math.max(1, Math.min(layers ?? this.stored, this.stored));
    this.step();
  }

  /** The source can make more than before. */
  sourceChanged(): void {
    this.step();
  }

  states(): TileState[] {
    return [...this.field.keys()].map((handle) => this.stateOf(handle));
  }

  fidelity(): Fidelity {
    return fidelityOf(this.states());
  }

  /** Resolves when the view rests and every tile of the field is as good as it can be, or the engine is closed. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.idlers.push(resolve);
      this.answerIdlers();
    });
  }

  close(): void {
    this.closed = true;
    this.asking.close();
    this.jobs.clear();
    for (const handle of this.handles.values()) handle.show(null);
    this.handles.clear();
    this.waiting.clear();
    this.settle();
  }

  private step(): void {
    if (this.closed) return;
    const { tiles, moving } = this.view;
    this.asking.want({ tiles, layers: moving ? 1 : this.limit }, moving);
    this.schedule();
    this.answerIdlers();
    this.events.changed();
  }

  /** Starts what can be decoded and is not; what is no longer wanted drops out by its priority. */
  private schedule(): void {
    for (const [handle, order] of this.field) this.consider(handle, order);
    for (const handle of this.visible) if (!this.field.has(handle)) this.consider(handle, 0);
    if (!this.field.has(this.coarsest)) this.consider(this.coarsest, 0);
    this.makeStandIns();
    this.source.reconsider();
  }

  private makeStandIns(): void {
    const { z } = this.view;
    this.standIns = new Set();
    for (const { level, x, y, damage, picture } of this.field.keys()) {
      if (damage === null || picture?.z === z) continue;
      const above = standInFor(address(z, level, x, y), this.pyramid, (tile) => this.source.availability(tile));
      if (above) this.standIns.add(this.handle(above.level, above.x, above.y));
    }
    for (const handle of this.standIns) this.consider(handle, 0);
  }

  private consider(handle: TileHandle, order: number): void {
    const { z } = this.view;
    const {
      layers: available,
      attainable,
      reason,
    } = this.source.availability(address(z, handle.level, handle.x, handle.y));
    this.noteDamage(handle, attainable < this.limit ? reason : null);
    const layers = Math.min(available, this.limit);
    const { picture } = handle;
    const current = picture?.z === z && picture.layers <= this.limit;
    const wanted = this.field.has(handle) ? !current || picture.layers < layers : !current;
    if (layers < 1 || !wanted) return;
    const job = this.jobs.get(handle);
    if (job && job.z === z && job.layers === layers) return;
    const onItsWay = job && job.z === z && !current && job.layers <= this.limit;
    if (onItsWay && layers < this.limit) return; // a first picture; the best one takes its place in the queue
    void this.make(handle, { z, layers, order });
  }

  private async make(handle: TileHandle, job: Job): Promise<void> {
    this.jobs.set(handle, job);
    const tile = address(job.z, handle.level, handle.x, handle.y);
    try {
      const bitmap = await this.source.make(tile, job.layers, () => this.rank(handle, job));
      const meant = this.jobs.get(handle) === job;
      if (this.closed || !(meant || this.isFirst(handle, job))) return bitmap.close();
      if (meant) this.jobs.delete(handle);
      this.failures.delete(handle);
      handle.show({ bitmap, z: job.z, layers: job.layers });
      this.shown(handle, tile);
    } catch (error) {
      if (this.jobs.get(handle) === job) this.jobs.delete(handle);
      if (!(error instanceof DroppedError)) this.failed(handle, error);
    }
  }

  /** Whether a picture that was being made when a better one was asked for is better than what is shown. */
  private isFirst(handle: TileHandle, job: Job): boolean {
    return this.jobs.has(handle) && job.z === this.view.z && job.layers <= this.limit && handle.picture?.z !== job.z;
  }

  /** Lower is sooner: first pictures before better ones, coarse before fine, centre before edge. */
  private rank(handle: TileHandle, job: Job): number | null {
    if (this.jobs.get(handle) !== job || job.z !== this.view.z) return null;
    const order = this.field.get(handle);
    if (order === undefined && !this.visible.has(handle) && !this.standIns.has(handle) && handle !== this.coarsest)
      return null;
    const first = handle.picture?.z !== job.z;
    return (first ? 0 : REFINING) + (this.pyramid.top - handle.level) * 10_000 + (order ?? job.order);
  }

  private shown(handle: TileHandle, tile: Address): void {
    if (this.field.has(handle)) this.meter.drew(tile, handle.size.width * handle.size.height * this.channels);
    this.release(handle);
    this.keepBudget();
    this.consider(handle, this.field.get(handle) ?? 0);
    this.events.redraw();
    this.answerIdlers();
    this.events.changed();
  }

  private failed(handle: TileHandle, error: unknown): void {
    const count = (this.failures.get(handle) ?? 0) + 1;
    this.failures.set(handle, count);
    if (count < MOST_FAILURES) return this.step();
    this.noteDamage(handle, error instanceof Error ? error.message : String(error));
    this.makeStandIns();
    this.answerIdlers();
    this.events.changed();
  }

  private noteDamage(handle: TileHandle, reason: string | null): void {
    if ((this.failures.get(handle) ?? 0) >= MOST_FAILURES && reason === null) return;
    if (handle.damage === reason) return;
    handle.damage = reason;
    if (reason !== null) this.release(handle);
    this.events.redraw();
  }

  private release(handle: TileHandle): void {
    const callbacks = this.waiting.get(handle) ?? [];
    this.waiting.delete(handle);
    for (const callback of callbacks) callback();
  }

  private stateOf(handle: TileHandle): TileState {
    const { level, x, y, picture, damage, size } = handle;
    const K = picture?.layers ?? 0;
    const known = picture?.z === this.view.z ? K : 0;
    const made = known === this.stored ? "exact" : known >= this.sharp[level] ? "sharp" : "preview";
    const state = damage !== null ? "damaged" : K === 0 ? "missing" : made;
    return {
      z: this.view.z,
      level,
      x,
      y,
      K,
      stored: this.stored,
      state,
      plane: picture?.z ?? null,
      ...size,
      reason: damage,
    };
  }

  private isSettled(handle: TileHandle): boolean {
    const { picture, damage } = handle;
    const { z } = this.view;
    if (picture?.z === z && picture.layers === this.limit) return true;
    if (damage === null || this.jobs.has(handle)) return false;
    const { layers } = this.source.availability(address(z, handle.level, handle.x, handle.y));
    return (this.failures.get(handle) ?? 0) >= MOST_FAILURES || Math.min(layers, this.limit) === (picture?.layers ?? 0);
  }

  private answerIdlers(): void {
    if (this.closed) return this.settle();
    const { moving } = this.view;
    if (moving || this.field.size === 0) return;
    for (const handle of this.field.keys()) if (!this.isSettled(handle)) return;
    for (const handle of this.standIns) if (handle.damage === null && handle.picture?.z !== this.view.z) return;
    this.asking.rested();
    this.settle();
  }

  private settle(): void {
    const idlers = this.idlers;
    this.idlers = [];
    for (const idler of idlers) idler();
  }

  /** Gives up the pictures that were out of view longest; the coarsest levels stay, they are the way back. */
  private keepBudget(): void {
    let bytes = this.bitmapBytes;
    if (bytes <= this.budget) return;
    const spare = this.unseen().sort((a, b) => a.lastSeen - b.lastSeen);
    for (const handle of spare) {
      if (bytes <= this.budget) return;
      bytes -= handle.bytes;
      this.evict(handle);
    }
  }

  private unseen(): TileHandle[] {
    const spared = this.pyramid.top - 1;
    return [...this.handles.values()].filter(
      (handle) =>
        !this.field.has(handle) &&
        !this.visible.has(handle) &&
        !this.standIns.has(handle) &&
        handle.bytes > 0 &&
        handle.level < spared,
    );
  }

  /** Pictures of another plane must not come back into view. */
  private forgetUnseen(): void {
    for (const handle of [...this.handles.values()]) {
      if (!this.field.has(handle) && !this.visible.has(handle) && handle !== this.coarsest) this.evict(handle);
    }
  }

  private evict(handle: TileHandle): void {
    this.events.evict(handle);
    this.forget(handle);
  }
}
