/** How true the stored slide is to its source, on a few tiles (ST60); the twin of ingest/quality/measure.py. */
import type { Samples } from "../../codec/kernel";
import { TILE } from "../../geometry/pyramid";
import { type Codec, CHANNELS, type Pixels } from "./codec";
import { type Encoder, type Layers, layersOf } from "./encoder";
import { Real, rounded } from "./json";
import type { Plan } from "./plan";
import { type Read, spread } from "./sampling";
import { EXACT_PSNR, pixelsOf } from "./trials";

const SAMPLES = 4;

/** The layers of a stored tile. */
export type ReadBlock = (level: number, x: number, y: number) => Promise<Layers>;

/** PSNR by level and number of layers, pooled over level-0 tiles and their ancestors. */
export async function measured(
  encoder: Encoder,
  plan: Plan,
  codec: Codec,
  tiles: readonly (readonly [number, number])[],
  read: Read,
  block: ReadBlock,
): Promise<(Real | null)[][]> {
  const levels = Array.from({ length: plan.top + 1 }, (_, level) => level);
  const squares = levels.map(() => Array.from({ length: codec.layers }, () => 0));
  const counts = levels.map(() => 0);
  const chains = Array.from({ length: codec.layers }, (_, n) => new Chains(encoder, plan, codec, n + 1, block));
  for (const [x, y] of tiles) {
    const { width, height } = plan.pyramid.tileSize(0, x, y);
    const picture = await read(TILE * x, TILE * y, width, height);
    let original: Means = { width, height, data: Float64Array.from(picture.data) };
    for (const level of levels) {
      if (level > 0) original = halved(original);
      counts[level]! += original.data.length;
      if (original.data.length === 0) continue;
      for (const [n, chain] of chains.entries()) squares[level]![n]! += await chain.error(x, y, level, original);
    }
  }
  return squares.map((row, level) => row.map((sum) => psnr(sum, counts[level]!)));
}

/** Tiles that are stored, spread evenly over them; the first one if all is glass. */
export function tilesWithTissue(plan: Plan, isStored: (x: number, y: number) => boolean): [number, number][] {
  const { columns, rows } = plan.pyramid.tiles(0);
  const places = Array.from({ length: columns * rows }, (_, at): [number, number] => [
    at % columns,
    Math.floor(at / columns),
  ]);
  const stored = places.filter(([x, y]) => isStored(x, y));
  const found = stored.length > 0 ? stored : places.slice(0, 1);
  return spread(found, Math.min(SAMPLES, found.length));
}

interface Means {
  readonly width: number;
  readonly height: number;
  readonly data: Float64Array;
}

/** Exact means of whole 2 x 2 squares. */
function halved({ width, data, height }: Means): Means {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Float64Array(CHANNELS * w * h);
  const row = CHANNELS * width;
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1)
      for (let c = 0; c < CHANNELS; c += 1) {
        const at = 2 * y * row + 2 * CHANNELS * x + c;
        out[CHANNELS * (y * w + x) + c] =
          (data[at]! + data[at + CHANNELS]! + data[at + row]! + data[at + row + CHANNELS]!) / 4;
      }
  return { width: w, height: h, data: out };
}

function psnr(squares: number, count: number): Real | null {
  if (count === 0) return null;
  if (squares === 0) return new Real(EXACT_PSNR);
  return new Real(rounded(Math.min(EXACT_PSNR, 10 * Math.log10((255 ** 2 * count) / squares)), 2));
}

/** Tiles with their ancestors, from the first `count` layers; each is decoded once. */
class Chains {
  private readonly decoded = new Map<string, Promise<{ readonly samples: Samples; readonly pixels: Pixels }>>();

  constructor(
    private readonly encoder: Encoder,
    private readonly plan: Plan,
    private readonly codec: Codec,
    private readonly count: number,
    private readonly block: ReadBlock,
  ) {}

  /** The sum of squares of what lies on `level` over the level-0 tile, beside the original. */
  async error(x: number, y: number, level: number, { width, height, data }: Means): Promise<number> {
    const { pixels } = await this.tile(level, x >> level, y >> level);
    const [left, top] = [x, y].map((place) => Math.floor((TILE * place) / 2 ** level) % TILE) as [number, number];
    let sum = 0;
    for (let row = 0; row < height; row += 1) {
      const from = CHANNELS * ((top + row) * pixels.width + left);
      const at = CHANNELS * width * row;
      for (let i = 0; i < CHANNELS * width; i += 1) sum += (pixels.data[from + i]! - data[at + i]!) ** 2;
    }
    return sum;
  }

  private tile(level: number, x: number, y: number): Promise<{ readonly samples: Samples; readonly pixels: Pixels }> {
    const name = `${level} ${x} ${y}`;
    const found = this.decoded.get(name) ?? this.decode(level, x, y);
    this.decoded.set(name, found);
    return found;
  }

  private async decode(level: number, x: number, y: number) {
    const { kernel } = this.encoder;
    const isTop = level === this.plan.top;
    const parent = isTop ? null : (await this.tile(level + 1, x >> 1, y >> 1)).samples;
    const layers = layersOf(await this.block(level, x, y)).slice(0, this.count);
    const parameters = kernel.readParameters(this.encoder.set(this.codec, level, isTop));
    const block = { parameters, address: { z: 0, x, y }, layers };
    const samples = parent ? kernel.decodeTile(parent, block) : kernel.decodeApproximation(block);
    return { samples, pixels: pixelsOf(this.encoder, samples, parameters, this.plan.pyramid.tileSize(level, x, y)) };
  }
}
