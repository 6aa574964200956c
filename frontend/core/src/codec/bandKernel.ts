// The bands of a tile (ws_analyze, ws_synthesize). The manual is shared/kernel/include/wavescope_kernel.h.
import { TILE } from "../geometry/pyramid";
import type { Samples } from "./kernel";

const MAX_CHANNELS = 3;
const PAGE = 65536;

/** Of a tile: its means, channels * 128 * 128, and what they lack, channels * 3 * 128 * 128, bands HL, LH, HH. */
export interface Bands {
  readonly ll: Int16Array;
  readonly details: Int16Array;
}

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  __heap_base: WebAssembly.Global;
  ws_scratch_bytes(): number;
  ws_analyze(samples: number, channels: number, ll: number, details: number, scratch: number): number;
  ws_synthesize(ll: number, details: number, channels: number, samples: number, scratch: number): number;
}

export class BandKernel {
  private readonly samples: number;
  private readonly ll: number;
  private readonly details: number;
  private readonly scratch: number;

  static async load(wasm: BufferSource | WebAssembly.Module): Promise<BandKernel> {
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    return new BandKernel((await WebAssembly.instantiate(module, {})).exports as Exports);
  }

  private constructor(private readonly exports: Exports) {
    const tile = MAX_CHANNELS * TILE * TILE * Int16Array.BYTES_PER_ELEMENT;
    this.samples = Math.ceil(Number(exports.__heap_base.value) / PAGE) * PAGE;
    this.ll = this.samples + tile;
    this.details = this.ll + tile / 4;
    this.scratch = this.ll + tile;
    const missing = Math.ceil((this.scratch + exports.ws_scratch_bytes() - exports.memory.buffer.byteLength) / PAGE);
    if (missing > 0) exports.memory.grow(missing);
  }

  /** Sums are clamped (CS49); of samples that span at most 8000 none is, and it is exactly reversible. */
  analyze(samples: Samples): Bands {
    const channels = channelsOf(samples);
    this.at(this.samples, samples.length).set(samples);
    checked(this.exports.ws_analyze(this.samples, channels, this.ll, this.details, this.scratch));
    const [means, rest] = [samples.length / 4, (3 * samples.length) / 4];
    return { ll: this.at(this.ll, means).slice(), details: this.at(this.details, rest).slice() };
  }

  /** The inverse. */
  synthesize({ ll, details }: Bands): Samples {
    this.at(this.ll, ll.length).set(ll);
    this.at(this.details, details.length).set(details);
    const length = 4 * ll.length;
    checked(this.exports.ws_synthesize(this.ll, this.details, length / TILE ** 2, this.samples, this.scratch));
    return this.at(this.samples, length).slice();
  }

  private at(place: number, length: number): Int16Array {
    return new Int16Array(this.exports.memory.buffer, place, length);
  }
}

function channelsOf(samples: Samples): number {
  const channels = samples.length / TILE ** 2;
  if (channels !== 1 && channels !== MAX_CHANNELS) throw new RangeError(`no tile has ${samples.length} samples`);
  return channels;
}

function checked(result: number): void {
  if (result < 0) throw new Error(`the kernel refused the bands of a tile: ${result}`);
}
