/** Peers of the tile engine for tests: a slide service and a maker of pictures. */
import { type Address, Pyramid, keyOf } from "../geometry/pyramid";
import { type Frame, FRAME_STATUS } from "../wire/slides/batchFrames";
import { PAGE, type LayerIndexPage } from "../wire/slides/layerIndex";
import type { BlockRange, SlideClient } from "../wire/slides/slideClient";
import { fakeLayer } from "../wire/testing";
import type { Availability, PictureMaker, FieldRequest } from "./pictures";

/** Knows which blocks exist, answers on command, and records the requests. */
export class FakeService implements SlideClient {
  readonly requested: string[] = [];
  readonly batches: BlockRange[][] = [];
  /** Blocks that were asked for one by one. */
  singles = 0;
  readonly aborted: AbortSignal[] = [];
  /** Thrown by the next requests, whatever they ask for. */
  failWith: Error | null = null;
  readonly empty = new Set<string>();
  /** Blocks whose layers from this one on are corrupt. */
  readonly corrupt = new Map<string, number>();
  readonly unavailable = new Set<string>();
  /** What is sent in place of a block's layers. */
  readonly forged = new Map<string, Uint8Array>();
  corruptPage: Error | null = null;
  /** While it is set, batches wait for it before they answer. */
  gate: Promise<void> | null = null;

  constructor(
    readonly pyramid: Pyramid,
    readonly layers: number,
  ) {}

  layerIndexPage(z: number, c: number, level: number, page: number): Promise<LayerIndexPage> {
    this.requested.push(`index ${z}/${c}/${level}/${page}`);
    if (this.failWith) return Promise.reject(this.failWith);
    if (this.corruptPage) return Promise.reject(this.corruptPage);
    const across = Math.ceil(this.pyramid.tiles(level).columns / PAGE);
    const first = { x: (page % across) * PAGE, y: Math.floor(page / across) * PAGE };
    const columns = Math.min(PAGE, this.pyramid.tiles(level).columns - first.x);
    const rows = Math.min(PAGE, this.pyramid.tiles(level).rows - first.y);
    const lengths = new Uint32Array(columns * rows * this.layers);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const empty = this.empty.has(keyOf({ z, c, level, x: first.x + column, y: first.y + row }));
        const offset = (row * columns + column) * this.layers;
        for (let layer = 0; layer < this.layers; layer += 1) lengths[offset + layer] = empty ? 0 : lengthOf(layer);
      }
    }
    return Promise.resolve({ layers: this.layers, columns, rows, lengths });
  }

  approximationLayer(z: number, _c: number, layer: number): Promise<Uint8Array> {
    this.requested.push(`approximation ${z} ${layer}`);
    return this.failWith ? Promise.reject(this.failWith) : Promise.resolve(Uint8Array.of(layer));
  }

  async *batch(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    this.batches.push([...ranges]);
    if (this.failWith) throw this.failWith;
    for (const [index, range] of ranges.entries()) {
      if (this.gate) await this.gate;
      if (signal?.aborted) {
        this.aborted.push(signal);
        throw new DOMException("aborted", "AbortError");
      }
      yield this.frameOf(index, range);
    }
  }

  get(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    this.singles += ranges.length;
    return this.batch(ranges, signal);
  }

  tile(): Promise<Blob> {
    return Promise.reject(new Error("no pixel tiles in this test"));
  }

  /** All block ranges asked for so far. */
  get ranges(): string[] {
    return this.batches.flat().map(({ address, from, to }) => `${keyOf(address)} ${from}-${to}`);
  }

  private frameOf(index: number, { address, from, to }: BlockRange): Frame {
    if (this.empty.has(keyOf(address))) return { index, status: FRAME_STATUS.empty, payload: new Uint8Array() };
    const forged = this.forged.get(keyOf(address));
    if (forged) return { index, status: FRAME_STATUS.ok, payload: forged };
    const corruptFrom = this.corrupt.get(keyOf(address)) ?? Infinity;
    const status = this.unavailable.has(keyOf(address))
      ? FRAME_STATUS.unavailable
      : to > corruptFrom
        ? FRAME_STATUS.corrupt
        : FRAME_STATUS.ok;
    const payload = Array.from({ length: to - from }, (_, i) => [...fakeLayer(from + i, lengthOf(from + i))]).flat();
    return {
      index,
      status,
      payload: status === FRAME_STATUS.ok ? Uint8Array.from(payload) : new TextEncoder().encode("corrupt"),
    };
  }
}

/** Bytes of each block's layer. */
function lengthOf(layer: number): number {
  return 13 + layer;
}

interface Making {
  readonly tile: Address;
  readonly layers: number;
  readonly priority: () => number | null;
  readonly done: (bitmap: ImageBitmap | null) => void;
  readonly fail: (error: Error) => void;
}

/** Makes pictures on command. */
export class FakeMaker implements PictureMaker {
  variant?: string;
  readonly fields: FieldRequest[] = [];
  readonly ahead: (readonly Address[])[] = [];
  readonly here = new Map<string, Availability>();
  making: Making[] = [];

  fetch(field: FieldRequest): void {
    this.fields.push(field);
  }

  prefetch(tiles: readonly Address[]): void {
    this.ahead.push(tiles);
  }

  availability(tile: Address): Availability {
    return this.here.get(keyOf(tile)) ?? { layers: 0, attainable: 2, reason: null };
  }

  make(tile: Address, layers: number, priority: () => number | null): Promise<ImageBitmap | null> {
    return new Promise((done, fail) => this.making.push({ tile, layers, priority, done, fail }));
  }

  reprioritise(): void {
    for (const job of this.making.filter(({ priority }) => priority() === null)) {
      this.making = this.making.filter((other) => other !== job);
      job.done(null);
    }
  }

  give(tiles: readonly Address[], layers: number, attainable = 2, reason: string | null = null): void {
    for (const tile of tiles) this.here.set(keyOf(tile), { layers, attainable, reason });
  }

  /** Finishes what is being made, best first, and gives the order. */
  async finishAll(): Promise<string[]> {
    const order: string[] = [];
    while (this.making.length > 0) {
      const first = [...this.making].sort((a, b) => a.priority()! - b.priority()!)[0]!;
      this.making = this.making.filter((other) => other !== first);
      order.push(`${keyOf(first.tile)}@${first.layers}`);
      first.done(fakeBitmap(order[order.length - 1]));
      await settle(2);
    }
    return order;
  }
}

/** Lets everything that is ready to run do so. */
export async function settle(turns = 12): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setTimeout(resolve));
}

export function fakeBitmap(name = ""): ImageBitmap & { closed: boolean; name: string } {
  const bitmap = { width: 256, height: 256, closed: false, name, close: () => void (bitmap.closed = true) };
  return bitmap;
}

export function a(z: number, level: number, x: number, y: number): Address {
  return { z, c: 0, level, x, y };
}
