// The codec kernel (kernel.wasm) behind a few calls. The manual is shared/kernel/include/wavescope_kernel.h.
// One Kernel belongs to one worker: its buffers lie in one wasm memory and every call uses them anew.

import { type Address, type Size, TILE } from "../geometry/pyramid";

const PLANE = TILE * TILE;
/** Means of a sibling that a quadrant is predicted from (codestream.md, CS18). */
const MARGIN = 2;
/** Analyses inside an approximation, down to means of 16 x 16 (codestream.md, CS19). */
const DEPTH = Math.log2(TILE / 16);
const TABLE_WORDS = DEPTH * 3 * 3;
const PARAMETER_WORDS = 12 + 9 + 4 * TABLE_WORDS + TABLE_WORDS;
const ADDRESS_WORDS = 3;

/** Samples of one tile, channels * 256 * 256, centred on 0. */
export type Samples = Int16Array;

/** Pixels of one channel in the numbers of the source. */
export type Values = Uint8Array | Int8Array | Uint16Array | Int16Array;

/** What a parameter set says of the blocks of a level (codestream.md, CS9); `raw` is the kernel's own structure. */
export interface ParameterSet {
  readonly raw: Int32Array;
  readonly kind: "details" | "approximation";
  readonly profile: "lossless" | "visual";
  readonly channels: number;
  readonly layers: number;
  readonly fractionBits: number;
  /** Of a pixel, 8 to 16; of more than 8, and of signed ones, there are values() only. */
  readonly bitDepth: number;
  readonly signed: boolean;
}

/** The first K layers of the block (or approximation) at an address; [] is an empty block. */
export interface Block {
  readonly parameters: ParameterSet;
  readonly address: Pick<Address, "z" | "x" | "y">;
  readonly layers: readonly Uint8Array[];
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
  | "channel-count"
  | "unsupported-channels"
  | "unsupported-depth"
  | "unsupported-tile";

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
  "unsupported-channels",
  "unsupported-depth",
  "unsupported-tile",
];

/** Bytes that are not the valid layers of this block, or not a parameter set that is implemented; `code` is the kernel's name for the cause. */
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
  /** Throws CodecError, for what is not implemented with a code of its own. */
  readParameters(bytes: Uint8Array): ParameterSet;
  /** Samples of the top tile. Throws CodecError. */
  decodeApproximation(block: Block): Samples;
  /** The tile in its quadrant of its parent, refined by its block. Throws CodecError. */
  decodeTile(parent: Samples, block: Block): Samples;
  /** RGBA of what decodeTile() gives, in one step: for a tile whose samples are not needed. */
  decodePixels(parent: Samples, block: Block, size: Size): Uint8ClampedArray<ArrayBuffer>;
  /** RGBA of the top left width x height samples. */
  pixels(samples: Samples, parameters: ParameterSet, size: Size): Uint8ClampedArray<ArrayBuffer>;
  /** The same of one channel of any depth, in the numbers of the source. */
  values(samples: Samples, parameters: ParameterSet, size: Size): Values;
}

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  __heap_base: WebAssembly.Global;
  ws_scratch_bytes(): number;
  ws_encode_bound(): number;
  ws_read_parameters(bytes: number, size: number, parameters: number): number;
  ws_decode_approximation(
    parameters: number,
    address: number,
    bytes: number,
    size: number,
    samples: number,
    scratch: number,
  ): number;
  ws_decode_tile(
    parent: number,
    parameters: number,
    address: number,
    bytes: number,
    size: number,
    samples: number,
    scratch: number,
  ): number;
  ws_pixels_from_samples(
    samples: number,
    parameters: number,
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
  private readonly parameters: number;
  private readonly address: number;
  private readonly parent: number;
  private readonly samples: number;
  private readonly pixelBytes: number;
  private readonly bytes: number;
  private readonly capacity: number;
  private readonly scratch: number;

  constructor(private readonly exports: Exports) {
    if (typeof exports.ws_read_parameters !== "function")
      throw new KernelMismatch("no ws_read_parameters among the exports");
    let top = Number(exports.__heap_base.value);
    const allocate = (size: number): number => {
      const at = Math.ceil(top / 64) * 64;
      top = at + size;
      return at;
    };
    this.capacity = this.exports.ws_encode_bound();
    this.parameters = allocate(PARAMETER_WORDS * 4);
    this.address = allocate(ADDRESS_WORDS * 4);
    this.parent = allocate(3 * PLANE * 2);
    this.samples = allocate(3 * PLANE * 2);
    this.pixelBytes = allocate(4 * PLANE);
    this.bytes = allocate(this.capacity);
    this.scratch = allocate(exports.ws_scratch_bytes());
    const missing = Math.ceil((top - exports.memory.buffer.byteLength) / 65536);
    if (missing > 0) exports.memory.grow(missing);
  }

  readParameters(bytes: Uint8Array): ParameterSet {
    const size = this.putLayers([bytes]);
    checked(this.exports.ws_read_parameters(this.bytes, size, this.parameters), "readParameters");
    return parameterSetOf(new Int32Array(this.exports.memory.buffer, this.parameters, PARAMETER_WORDS).slice());
  }

  decodeApproximation(block: Block): Samples {
    const size = this.putBlock(block);
    const result = this.exports.ws_decode_approximation(
      this.parameters,
      this.address,
      this.bytes,
      size,
      this.samples,
      this.scratch,
    );
    checked(result, "decodeApproximation");
    return this.copySamples(block.parameters.channels);
  }

  decodeTile(parent: Samples, block: Block): Samples {
    this.synthesizeTile(parent, block);
    return this.copySamples(block.parameters.channels);
  }

  decodePixels(parent: Samples, block: Block, size: Size): Uint8ClampedArray<ArrayBuffer> {
    this.synthesizeTile(parent, block);
    return this.pixelsOfSamples(size);
  }

  pixels(samples: Samples, parameters: ParameterSet, size: Size): Uint8ClampedArray<ArrayBuffer> {
    this.putSamples(samples, parameters);
    return this.pixelsOfSamples(size);
  }

  values(samples: Samples, parameters: ParameterSet, size: Size): Values {
    this.putSamples(samples, parameters);
    this.drawSamples(size, 1);
    const { memory } = this.exports;
    return new (valuesOf(parameters))(memory.buffer, this.pixelBytes, size.width * size.height).slice();
  }

  private putSamples(samples: Samples, parameters: ParameterSet): void {
    if (samples.length !== parameters.channels * PLANE) throw new CodecError("channel-count", "pixels");
    new Int16Array(this.exports.memory.buffer, this.samples, samples.length).set(samples);
    this.putParameters(parameters);
  }

  /** Leaves the tile in the buffer `samples`. */
  private synthesizeTile(parent: Samples, block: Block): void {
    const { channels } = block.parameters;
    if (parent.length !== channels * PLANE) throw new CodecError("channel-count", "decodeTile");
    const size = this.putBlock(block);
    if (block.layers.length > 0 && size === 0) throw new CodecError("order", "decodeTile");
    this.putParent(parent, (block.address.y & 1) as 0 | 1, channels);
    const result = this.exports.ws_decode_tile(
      this.parent,
      this.parameters,
      this.address,
      this.bytes,
      size,
      this.samples,
      this.scratch,
    );
    checked(result, "decodeTile");
  }

  /** The rows of the parent that a quadrant is made of: its own, and those of its sibling that it is predicted from (CS18). */
  private putParent(parent: Samples, qy: 0 | 1, channels: number): void {
    const target = new Int16Array(this.exports.memory.buffer, this.parent, parent.length);
    const first = qy * (TILE / 2 - MARGIN) * TILE;
    for (let start = first; start < channels * PLANE; start += PLANE) {
      target.set(parent.subarray(start, start + (TILE / 2 + MARGIN) * TILE), start);
    }
  }

  /** Of the buffer `samples`, with the parameters of the last call. */
  private pixelsOfSamples(size: Size): Uint8ClampedArray<ArrayBuffer> {
    this.drawSamples(size, 4);
    return new Uint8ClampedArray(this.exports.memory.buffer, this.pixelBytes, size.width * size.height * 4).slice();
  }

  private drawSamples({ width, height }: Size, components: 1 | 4): void {
    const { samples, parameters, pixelBytes } = this;
    checked(this.exports.ws_pixels_from_samples(samples, parameters, width, height, components, pixelBytes), "pixels");
  }

  private copySamples(channels: number): Samples {
    return new Int16Array(this.exports.memory.buffer, this.samples, channels * PLANE).slice();
  }

  private putParameters({ raw }: ParameterSet): void {
    new Int32Array(this.exports.memory.buffer, this.parameters, PARAMETER_WORDS).set(raw);
  }

  /** Returns the number of bytes of its layers. */
  private putBlock({ parameters, address, layers }: Block): number {
    this.putParameters(parameters);
    const words = new Uint32Array(this.exports.memory.buffer, this.address, ADDRESS_WORDS);
    words.set([address.z, address.x, address.y]);
    return this.putLayers(layers);
  }

  private putLayers(layers: readonly Uint8Array[]): number {
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

function parameterSetOf(raw: Int32Array): ParameterSet {
  const [kind = 0, profile = 0, channels = 0, bitDepth = 8, signed = 0, fractionBits = 0, , layers = 0] = raw;
  return {
    raw,
    kind: kind === 1 ? "approximation" : "details",
    profile: profile === 1 ? "visual" : "lossless",
    channels,
    layers,
    fractionBits,
    bitDepth,
    signed: signed === 1,
  };
}

function valuesOf({ bitDepth, signed }: ParameterSet) {
  if (bitDepth > 8) return signed ? Int16Array : Uint16Array;
  return signed ? Int8Array : Uint8Array;
}
