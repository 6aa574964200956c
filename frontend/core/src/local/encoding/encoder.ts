/** The kernel's encoder behind a few calls; the manual is shared/kernel/include/wavescope_kernel.h. One belongs to one worker. */
import { CodecError, type Kernel, type Samples, loadKernel } from "../../codec/kernel";
import { type Size, TILE } from "../../geometry/pyramid";
import { type Codec, CHANNELS, type Pixels, parameterSet, tuning } from "./codec";

export const HALF = TILE / 2;
export const PLANE = TILE * TILE;
const MAX_LAYERS = 4;

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  __heap_base: WebAssembly.Global;
  ws_scratch_bytes(): number;
  ws_encode_bound(): number;
  ws_parameters_bytes(): number;
  ws_read_parameters(bytes: number, size: number, parameters: number): number;
  ws_samples_from_pixels(
    pixels: number,
    width: number,
    height: number,
    parameters: number,
    tuning: number,
    samples: number,
  ): number;
  ws_extend(samples: number, channels: number, width: number, height: number, above: number, scratch: number): number;
  ws_means(samples: number, channels: number, ll: number): number;
  ws_encode(
    samples: number,
    parameters: number,
    tuning: number,
    parent: number,
    address: number,
    output: number,
    scratch: number,
  ): number;
}

/** Where a tile lies: its level, column and row. */
export interface Place {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** A part of a picture in memory: its top left pixel and its size. */
export interface Window extends Size {
  readonly x: number;
  readonly y: number;
}

export class Encoder {
  private readonly at: Readonly<Record<Buffer, number>>;
  private readonly capacity: number;
  /** The parameter set that the kernel has in its buffer. */
  private current: Uint8Array | null = null;
  private readonly sets = new WeakMap<Codec, Map<string, Uint8Array>>();

  private constructor(
    private readonly exports: Exports,
    /** What decodes. */
    readonly kernel: Kernel,
  ) {
    this.capacity = exports.ws_encode_bound();
    let top = Number(exports.__heap_base.value);
    const place = (size: number): number => {
      const at = Math.ceil(top / 64) * 64;
      top = at + size;
      return at;
    };
    this.at = {
      set: place(4096),
      parameters: place(exports.ws_parameters_bytes()),
      tuning: place(13 * 4),
      address: place(3 * 4),
      output: place(3 * 4),
      sizes: place(4 * MAX_LAYERS),
      pixels: place(CHANNELS * PLANE),
      samples: place(2 * CHANNELS * PLANE),
      parent: place(2 * CHANNELS * PLANE),
      ll: place(2 * CHANNELS * HALF * HALF),
      bytes: place(this.capacity),
      scratch: place(exports.ws_scratch_bytes()),
    };
    const missing = Math.ceil((top - exports.memory.buffer.byteLength) / 65536);
    if (missing > 0) exports.memory.grow(missing);
    new Uint32Array(exports.memory.buffer, this.at.output, 3).set([this.at.bytes, this.capacity, this.at.sizes]);
  }

  static async load(module: WebAssembly.Module): Promise<Encoder> {
    const [instance, kernel] = await Promise.all([WebAssembly.instantiate(module, {}), loadKernel(module)]);
    return new Encoder(instance.exports as Exports, kernel);
  }

  /** Of the kernel's memory, that which encodes. */
  get bytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Samples of a tile from its pixels, a part of a picture, continued as by `extend`. */
  samples(picture: Pixels, { x, y, width, height }: Window, codec: Codec, above = 1): Samples {
    const target = new Uint8Array(this.exports.memory.buffer, this.at.pixels, CHANNELS * width * height);
    for (let row = 0; row < height; row += 1) {
      const start = CHANNELS * ((y + row) * picture.width + x);
      target.set(picture.data.subarray(start, start + CHANNELS * width), CHANNELS * width * row);
    }
    this.use(codec, 0, false, width, height);
    const { pixels, parameters, tuning: tuned, samples } = this.at;
    checked(this.exports.ws_samples_from_pixels(pixels, width, height, parameters, tuned, samples), "samples");
    return this.extended(width, height, above);
  }

  /** Continues a tile of which so many columns and rows are there, so that what is outside has few details. `above`: levels above it. */
  extend(tile: Samples, columns: number, rows: number, above = 1): Samples {
    this.shorts("samples", tile.length).set(tile);
    return this.extended(columns, rows, above);
  }

  /** The tile's quadrant of its parent: [channel][128][128], valid until the next call. */
  means(samples: Samples): Int16Array {
    this.shorts("samples", samples.length).set(samples);
    checked(this.exports.ws_means(this.at.samples, CHANNELS, this.at.ll), "means");
    return this.shorts("ll", CHANNELS * HALF * HALF);
  }

  /** The layers of a tile, in one piece, with the length of each; empty if every coefficient is zero. `parent`: its parent's samples. */
  encodeTile(samples: Samples, parent: Samples, codec: Codec, place: Place, shown: Size): Layers {
    this.shorts("parent", parent.length).set(parent);
    return this.encode(samples, codec, place, false, shown);
  }

  /** The same of the top tile. */
  encodeApproximation(samples: Samples, codec: Codec, level: number, shown: Size): Layers {
    return this.encode(samples, codec, { level, x: 0, y: 0 }, true, shown);
  }

  /** The parameter set of a level. */
  set(codec: Codec, level: number, approximation: boolean): Uint8Array {
    const known = this.sets.get(codec) ?? new Map<string, Uint8Array>();
    this.sets.set(codec, known);
    const name = `${level} ${approximation}`;
    const found = known.get(name) ?? parameterSet(codec, level, approximation);
    known.set(name, found);
    return found;
  }

  private encode(samples: Samples, codec: Codec, place: Place, approximation: boolean, shown: Size): Layers {
    this.shorts("samples", samples.length).set(samples);
    this.use(codec, place.level, approximation, shown.width, shown.height);
    new Uint32Array(this.exports.memory.buffer, this.at.address, 3).set([0, place.x, place.y]);
    const { parameters, tuning: tuned, parent, address, output, scratch } = this.at;
    const result = this.exports.ws_encode(this.at.samples, parameters, tuned, parent, address, output, scratch);
    checked(result, "encode");
    const sizes = [...new Uint32Array(this.exports.memory.buffer, this.at.sizes, codec.layers)];
    const size = sizes.reduce((sum, one) => sum + one, 0);
    return { sizes, bytes: new Uint8Array(this.exports.memory.buffer, this.at.bytes, size).slice() };
  }

  private extended(columns: number, rows: number, above: number): Samples {
    const { samples, scratch } = this.at;
    checked(this.exports.ws_extend(samples, CHANNELS, columns, rows, above, scratch), "extend");
    return this.shorts("samples", CHANNELS * PLANE).slice();
  }

  private use(codec: Codec, level: number, approximation: boolean, width: number, height: number): void {
    const set = this.set(codec, level, approximation);
    if (set !== this.current) {
      new Uint8Array(this.exports.memory.buffer, this.at.set, set.length).set(set);
      checked(this.exports.ws_read_parameters(this.at.set, set.length, this.at.parameters), "readParameters");
      this.current = set;
    }
    new Int32Array(this.exports.memory.buffer, this.at.tuning, 13).set(tuning(codec, width, height));
  }

  private shorts(buffer: Buffer, length: number): Int16Array {
    return new Int16Array(this.exports.memory.buffer, this.at[buffer], length);
  }
}

type Buffer =
  | "set"
  | "parameters"
  | "tuning"
  | "address"
  | "output"
  | "sizes"
  | "pixels"
  | "samples"
  | "parent"
  | "ll"
  | "bytes"
  | "scratch";

export interface Layers {
  readonly sizes: readonly number[];
  readonly bytes: Uint8Array;
}

export const NO_LAYERS: Layers = { sizes: [], bytes: new Uint8Array(0) };

function checked(result: number, call: string): void {
  if (result < 0) throw new CodecError("argument", `${call} (${result})`);
}

/** The layers, each by itself. */
export function layersOf({ sizes, bytes }: Layers): Uint8Array[] {
  let at = 0;
  return sizes.filter((size) => size > 0).map((size) => bytes.subarray(at, (at += size)));
}
