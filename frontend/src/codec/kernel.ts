// The codec kernel (kernel.wasm) behind three calls. The manual is shared/kernel/include/wavescope_kernel.h.
// One Kernel belongs to one worker: its buffers lie in one wasm memory and every call uses them anew.

import { type Quadrant, type Size, TILE } from "../geometry/pyramid";

const PLANE = TILE * TILE;
/** Means of a sibling that a quadrant is predicted from (codestream.md, CS18). */
const MARGIN = 2;
/** Analyses inside an approximation, down to means of 16 x 16 (codestream.md, CS19). */
const DEPTH = Math.log2(TILE / 16);
const TABLE_WORDS = DEPTH * 3 * 3;
const HEADER_WORDS = 8 + 9 + 4 * TABLE_WORDS + TABLE_WORDS;

/** Samples of one tile, channels * 256 * 256, centred on 0. */
export type Samples = Int16Array;

/** What layer 0 says about its block; `raw` is the kernel's own structure. */
export interface CodecHeader {
  readonly raw: Int32Array;
  readonly kind: "details" | "approximation";
  readonly profile: "lossless" | "visual";
  readonly channels: number;
  readonly layers: number;
  readonly fractionBits: number;
}

export type CodecErrorCode =
  | "truncated"
  | "magic"
  | "newer-version"
  | "checksum"
  | "order"
  | "binding"
  | "header"
  | "unsupported"
  | "space"
  | "argument"
  | "kind"
  | "channel-count";

const CODES: readonly CodecErrorCode[] = [
  "truncated",
  "magic",
  "newer-version",
  "checksum",
  "order",
  "binding",
  "header",
  "unsupported",
  "space",
  "argument",
  "kind",
  "channel-count",
];

/** Bytes that are not the valid layers of a block; `code` is the kernel's name for the cause. */
export class CodecError extends Error {
  override readonly name = "CodecError";
  constructor(
    readonly code: CodecErrorCode,
    call: string,
  ) {
    super(`${call}: ${code}`);
  }
}

/** A wasm module that is not this kernel. */
export class KernelMismatch extends Error {
  override readonly name = "KernelMismatch";
}

export interface Kernel {
  /** Samples of the top tile from its first K layers. Throws CodecError. */
  decodeApproximation(layers: Uint8Array[]): { samples: Samples; header: CodecHeader };
  /** The tile in a quadrant of its parent, refined by the first K layers of its block; [] is an empty block. */
  decodeTile(parent: Samples, quadrant: Quadrant, layers: Uint8Array[], channels: number): Samples;
  /** RGBA of what decodeTile() gives, in one step: for a tile whose samples are not needed. */
  decodePixels(
    parent: Samples,
    header: CodecHeader,
    quadrant: Quadrant,
    layers: Uint8Array[],
    size: Size,
  ): Uint8ClampedArray<ArrayBuffer>;
  /** RGBA of the top left width x height samples. */
  pixels(samples: Samples, header: CodecHeader, size: Size): Uint8ClampedArray<ArrayBuffer>;
}

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  __heap_base: WebAssembly.Global;
  ws_scratch_bytes(): number;
  ws_encode_bound(): number;
  ws_decode_approximation(bytes: number, size: number, samples: number, header: number, scratch: number): number;
  ws_decode_tile(
    parent: number,
    qx: number,
    qy: number,
    channels: number,
    bytes: number,
    size: number,
    samples: number,
    scratch: number,
  ): number;
  ws_pixels_from_samples(
    samples: number,
    header: number,
    width: number,
    height: number,
    components: number,
    pixels: number,
  ): number;
}

/** Instantiates the kernel and lays its buffers out once; its memory does not grow afterwards. */
export async function loadKernel(wasm: BufferSource | WebAssembly.Module): Promise<Kernel> {
  const instance =
    wasm instanceof WebAssembly.Module
      ? await WebAssembly.instantiate(wasm, {})
      : (await WebAssembly.instantiate(wasm, {})).instance;
  return new WasmKernel(instance.exports as Exports);
}

class WasmKernel implements Kernel {
  private readonly header: number;
  private readonly parent: number;
  private readonly samples: number;
  private readonly pixelBytes: number;
  private readonly bytes: number;
  private readonly capacity: number;
  private readonly scratch: number;

  constructor(private readonly exports: Exports) {
    if (typeof exports.ws_decode_tile !== "function") throw new KernelMismatch("no ws_decode_tile among the exports");
    let top = Number(exports.__heap_base.value);
    const allocate = (size: number): number => {
      const at = Math.ceil(top / 64) * 64;
      top = at + size;
      return at;
    };
    this.capacity = exports.ws_encode_bound();
    this.header = allocate(HEADER_WORDS * 4);
    this.parent = allocate(3 * PLANE * 2);
    this.samples = allocate(3 * PLANE * 2);
    this.pixelBytes = allocate(4 * PLANE);
    this.bytes = allocate(this.capacity);
    this.scratch = allocate(exports.ws_scratch_bytes());
    const missing = Math.ceil((top - exports.memory.buffer.byteLength) / 65536);
    if (missing > 0) exports.memory.grow(missing);
  }

  decodeApproximation(layers: Uint8Array[]): { samples: Samples; header: CodecHeader } {
    const size = this.putLayers(layers);
    const call = this.exports.ws_decode_approximation;
    checked(call(this.bytes, size, this.samples, this.header, this.scratch), "decodeApproximation");
    const header = readHeader(new Int32Array(this.exports.memory.buffer, this.header, HEADER_WORDS).slice());
    return { samples: this.takeSamples(header.channels), header };
  }

  decodeTile(parent: Samples, quadrant: Quadrant, layers: Uint8Array[], channels: number): Samples {
    this.synthesizeTile(parent, quadrant, layers, channels);
    return this.takeSamples(channels);
  }

  decodePixels(
    parent: Samples,
    header: CodecHeader,
    quadrant: Quadrant,
    layers: Uint8Array[],
    size: Size,
  ): Uint8ClampedArray<ArrayBuffer> {
    this.synthesizeTile(parent, quadrant, layers, header.channels);
    return this.showSamples(header, size);
  }

  pixels(samples: Samples, header: CodecHeader, size: Size): Uint8ClampedArray<ArrayBuffer> {
    if (samples.length !== header.channels * PLANE) throw new CodecError("channel-count", "pixels");
    new Int16Array(this.exports.memory.buffer, this.samples, samples.length).set(samples);
    return this.showSamples(header, size);
  }

  /** Leaves the tile in the buffer `samples`. */
  private synthesizeTile(parent: Samples, [qx, qy]: Quadrant, layers: Uint8Array[], channels: number): void {
    if (parent.length !== channels * PLANE) throw new RangeError(`${parent.length} samples for ${channels} channels`);
    const size = this.putLayers(layers);
    if (layers.length > 0 && size === 0) throw new CodecError("truncated", "decodeTile");
    this.putParent(parent, qy, channels);
    const call = this.exports.ws_decode_tile;
    checked(call(this.parent, qx, qy, channels, this.bytes, size, this.samples, this.scratch), "decodeTile");
  }

  /** The rows of the parent that a quadrant is made of: its own, and those of its sibling that it is predicted from (CS18). */
  private putParent(parent: Samples, qy: 0 | 1, channels: number): void {
    const target = new Int16Array(this.exports.memory.buffer, this.parent, parent.length);
    const first = qy * (TILE / 2 - MARGIN) * TILE;
    for (let start = first; start < channels * PLANE; start += PLANE) {
      target.set(parent.subarray(start, start + (TILE / 2 + MARGIN) * TILE), start);
    }
  }

  private showSamples(header: CodecHeader, { width, height }: Size): Uint8ClampedArray<ArrayBuffer> {
    const { buffer } = this.exports.memory;
    new Int32Array(buffer, this.header, HEADER_WORDS).set(header.raw);
    const call = this.exports.ws_pixels_from_samples;
    checked(call(this.samples, this.header, width, height, 4, this.pixelBytes), "pixels");
    return new Uint8ClampedArray(buffer, this.pixelBytes, width * height * 4).slice();
  }

  private takeSamples(channels: number): Samples {
    return new Int16Array(this.exports.memory.buffer, this.samples, channels * PLANE).slice();
  }

  private putLayers(layers: Uint8Array[]): number {
    const size = layers.reduce((sum, layer) => sum + layer.length, 0);
    if (size > this.capacity) throw new CodecError("header", "putLayers");
    const target = new Uint8Array(this.exports.memory.buffer, this.bytes, size);
    let at = 0;
    for (const layer of layers) {
      target.set(layer, at);
      at += layer.length;
    }
    return size;
  }
}

function checked(result: number, call: string): void {
  if (result < 0) throw new CodecError(CODES[-result - 1] ?? "header", call);
}

function readHeader(raw: Int32Array): CodecHeader {
  const [kind = 0, profile = 0, channels = 0, , , fractionBits = 0, , layers = 0] = raw;
  return {
    raw,
    kind: kind === 1 ? "approximation" : "details",
    profile: profile === 1 ? "visual" : "lossless",
    channels,
    layers,
    fractionBits,
  };
}
