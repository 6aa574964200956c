/** Extended depth of field from the bands of all focal planes (shared/spec/focus.md, ZS4 to ZS6). */
import { type Address, TILE } from "../geometry/pyramid";
import type { BandKernel, Bands } from "./bandKernel";
import { ByteLru } from "./byteLru";
import { ChainDecoder, type Decoded } from "./chainDecoder";
import type { Kernel, Samples } from "./kernel";
import { type DecodeRequest, type DecodedPixels, type DecodedValues, type Link, samplesName } from "./protocol";

/** A request whose tile is made of those of all planes: their chains, each from the top level down to the tile. */
export interface FocusRequest extends DecodeRequest {
  readonly planes: readonly (readonly Link[])[];
}

/** Bytes of computed parents, as a part of those of all samples. */
const PART = 1 / 4;
const HALF = TILE / 2;

export class FocusDecoder extends ChainDecoder {
  private readonly computed: ByteLru<Decoded>;

  constructor(
    kernel: Kernel,
    private readonly bands: BandKernel,
    budget: number,
  ) {
    super(kernel, budget * (1 - PART));
    this.computed = new ByteLru(budget * PART);
  }

  override get decodedBytes(): number {
    return super.decodedBytes + this.computed.bytes;
  }

  /** RGBA of the tile. Throws BlockError. */
  override pixels(request: FocusRequest): DecodedPixels {
    const { width, height, planes } = request;
    const { samples, parameters } = this.tile(request, planes[0]!.length);
    return { width, height, rgba: this.kernel.pixels(samples, parameters, { width, height }) };
  }

  /** The numbers of the source of one channel. Throws BlockError. */
  override values(request: FocusRequest): DecodedValues {
    const { width, height, planes } = request;
    const { samples, parameters } = this.tile(request, planes[0]!.length);
    return { width, height, values: this.kernel.values(samples, parameters, { width, height }) };
  }

  /** The tile that is this far down the chains. */
  private tile(request: FocusRequest, depth: number): Decoded {
    const { address } = request.planes[0]![depth - 1]!;
    const name = samplesName(request, address);
    const known = this.computed.get(name);
    if (known) return known;
    const { slide, layers, channels, width, height, output } = request;
    const decoded = request.planes.map((whole) => {
      const chain = whole.slice(0, depth);
      return this.decode({ slide, layers, channels, width, height, output, chain }, chain);
    });
    const planes = decoded.map(({ samples }) => this.bands.analyze(samples));
    const ll = depth === 1 ? meanOf(planes) : quadrantOf(this.tile(request, depth - 1).samples, address);
    const samples = this.bands.synthesize({ ll, details: strongest(planes) });
    const made = { samples, parameters: decoded[0]!.parameters };
    if (address.level > 0) this.computed.set(name, made, samples.byteLength);
    return made;
  }
}

/** At each position of each band the details of the plane whose channels have there the largest sum of magnitudes; of equals, the first. */
export function strongest(planes: readonly Pick<Bands, "details">[]): Int16Array {
  const [first, ...others] = planes;
  const chosen = first!.details.slice();
  const band = 3 * HALF * HALF;
  const channels = chosen.length / band;
  const most = new Int32Array(band);
  for (let i = 0; i < band; i++) most[i] = magnitude(chosen, i, band, channels);
  for (const { details } of others)
    for (let i = 0; i < band; i++) {
      const here = magnitude(details, i, band, channels);
      if (here <= most[i]!) continue;
      most[i] = here;
      for (let c = 0; c < channels; c++) chosen[c * band + i] = details[c * band + i]!;
    }
  return chosen;
}

function magnitude(details: Int16Array, i: number, band: number, channels: number): number {
  let sum = 0;
  for (let c = 0; c < channels; c++) sum += Math.abs(details[c * band + i]!);
  return sum;
}

/** Rounded down. */
function meanOf(planes: readonly Bands[]): Int16Array {
  return planes[0]!.ll.map((_, i) => Math.floor(planes.reduce((sum, { ll }) => sum + ll[i]!, 0) / planes.length));
}

/** The part of a parent that a tile refines. */
function quadrantOf(parent: Samples, tile: Address): Int16Array {
  const channels = parent.length / TILE ** 2;
  const quadrant = new Int16Array(channels * HALF * HALF);
  const [left, top] = [(tile.x & 1) * HALF, (tile.y & 1) * HALF];
  for (let c = 0; c < channels; c++)
    for (let row = 0; row < HALF; row++) {
      const from = c * TILE ** 2 + (top + row) * TILE + left;
      quadrant.set(parent.subarray(from, from + HALF), (c * HALF + row) * HALF);
    }
  return quadrant;
}
