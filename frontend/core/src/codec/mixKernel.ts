// Sums of channels in the memory of the kernel (ws_mix_add, ws_mix_clip). The manual is shared/kernel/include/wavescope_kernel.h.
import { type Size, TILE } from "../geometry/pyramid";
import type { Values } from "./kernel";

/** Four numbers of 16 bits, red, green, blue and alpha, of each pixel of a sum or each entry of a table. */
const LANES = 4;
/** Of a whole tile, and of a table for all samples of 16 bits: they are as long. */
const SLOT_BYTES = TILE * TILE * LANES * 2;
const PAGE = 65536;
const BLACK = 0x00ff_0000_0000_0000n;

/** Where a sum or a table lies. */
export type Slot = number;

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  __heap_base: WebAssembly.Global;
  ws_mix_add(sums: number, samples: number, bytes: number, least: number, table: number, count: number): number;
  ws_mix_clip(sums: number, count: number, pixels: number): number;
}

export class MixKernel {
  /** Bytes of a sum or a table. */
  static readonly slotBytes = SLOT_BYTES;
  private readonly samples: number;
  private readonly pixels: number;
  private top: number;
  private readonly free: Slot[] = [];

  static async load(wasm: BufferSource | WebAssembly.Module): Promise<MixKernel> {
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    return new MixKernel((await WebAssembly.instantiate(module, {})).exports as Exports);
  }

  private constructor(private readonly exports: Exports) {
    this.samples = Math.ceil(Number(exports.__heap_base.value) / PAGE) * PAGE;
    this.pixels = this.samples + TILE * TILE * 2;
    this.top = this.pixels + TILE * TILE * 4;
    this.grow();
  }

  /** Bytes of sums and tables that were given up, for those to come. */
  get freeBytes(): number {
    return this.free.length * SLOT_BYTES;
  }

  /** A sum of no channels: black and opaque. */
  sum(): Slot {
    const slot = this.allocate();
    new BigUint64Array(this.exports.memory.buffer, slot, TILE * TILE).fill(BLACK);
    return slot;
  }

  /** What samples add, from the least one on: `fill` writes it into four numbers for each, of which the last is 0. */
  table(fill: (entries: Int16Array) => void): Slot {
    const slot = this.allocate();
    fill(new Int16Array(this.exports.memory.buffer, slot, TILE * TILE * LANES));
    return slot;
  }

  release(slot: Slot): void {
    this.free.push(slot);
  }

  /** Adds to each pixel of a sum what its sample adds; `least`: the sample of the table's first entry. */
  add(sum: Slot, values: Values, least: number, table: Slot): void {
    const { length, BYTES_PER_ELEMENT: bytes } = values;
    const from = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    new Uint8Array(this.exports.memory.buffer, this.samples, length * bytes).set(from);
    this.exports.ws_mix_add(sum, this.samples, bytes, least, table, length);
  }

  /** Of a sum, clipped. It lies in the kernel's memory: valid until the next call. */
  picture(sum: Slot, { width, height }: Size): ImageData {
    const count = width * height;
    this.exports.ws_mix_clip(sum, count, this.pixels);
    return new ImageData(new Uint8ClampedArray(this.exports.memory.buffer, this.pixels, count * LANES), width, height);
  }

  private allocate(): Slot {
    const known = this.free.pop();
    if (known !== undefined) return known;
    const slot = this.top;
    this.top += SLOT_BYTES;
    this.grow();
    return slot;
  }

  private grow(): void {
    const { memory } = this.exports;
    const missing = Math.ceil((this.top - memory.buffer.byteLength) / PAGE);
    if (missing > 0) memory.grow(missing);
  }
}
