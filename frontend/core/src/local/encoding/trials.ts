/** The closed loop: pieces of a slide are encoded with other and other steps (decision 0008); the twin of ingest/quality/trials.py. */
import { TILE } from "../../geometry/pyramid";
import type { ParameterSet, Samples } from "../../codec/kernel";
import {
  type Codec,
  CHANNELS,
  type Pixels,
  type Steps,
  losslessCodec,
  reversibleCandidates,
  stepsOf,
  visualCodec,
} from "./codec";
import { type Encoder, HALF, PLANE, layersOf } from "./encoder";
import { halfEven } from "./json";
import { type Family, type Sample, part, tissue } from "./sampling";
import { Original } from "./ssimulacra2";

export const EXACT_PSNR = 99;
export const OCTAVE = 32;
export const COARSEST = -4 * OCTAVE;
const FINEST = 4 * OCTAVE;
/** With tissue, of which error and score are measured. */
export const PIECES = 8;
export const PSNR_SLOPE = 0.16;
export const SCORE_SLOPE = 0.4;
const EFFECT_OF_PARENTS = 0.6;
/** dB, or points of the score: near enough to end the search. */
export const CLOSE = 0.1;

/** Trial `number` has the table's steps divided by 2 ** (number / OCTAVE); higher numbers are better and larger. */
export class Trials {
  private readonly base: Codec;
  private readonly tissue: readonly number[];
  private readonly coded = new Map<string, Coded>();
  private readonly families = new Map<number, readonly [placed: number, alone: number]>();
  private readonly scores = new Map<number, number>();
  private readonly originals: readonly Original[];
  private foundLossless: Codec | null = null;

  constructor(
    private readonly encoder: Encoder,
    private readonly sample: Sample,
    private readonly steps: Steps,
    pieces = PIECES,
  ) {
    this.base = visualCodec(sample.image, steps, sample.side);
    this.tissue = tissue(sample, pieces);
    this.originals = this.tissue.slice(0, PIECES).map((at) => new Original(sample.pieces[at]!));
  }

  codec(number: number): Codec {
    return { ...this.base, steps: stepsOf(this.steps, 2 ** (number / OCTAVE)) };
  }

  get lossless(): Codec {
    return (this.foundLossless ??= losslessOf(this.encoder, this.sample.image));
  }

  /** SSIMULACRA 2, the mean of pieces with tissue. */
  score(number: number): number {
    const known = this.scores.get(number);
    if (known !== undefined) return known;
    const scores = this.originals.map((one, i) => one.score(this.piece(number, this.tissue[i]!).pixels));
    const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
    this.scores.set(number, mean);
    return mean;
  }

  /** dB of level 0, pooled over the pieces with tissue. */
  psnr(number: number): number {
    return pooled(
      this.tissue.map((at) => this.piece(number, at).pixels),
      this.tissue.map((at) => this.sample.pieces[at]!),
    );
  }

  /** As the tiles of a slide have it: with what their parents do to them. */
  psnrOfTiles(number: number): number {
    const [placed, alone] = this.sample.families.length > 0 ? this.ofFamilies(number) : [0, 0];
    return this.psnr(number) + (placed - alone);
  }

  /** Of the tiles of the families; without families a cautious estimate. */
  psnrInSlide(number: number): number {
    return this.sample.families.length > 0 ? this.ofFamilies(number)[0] : this.psnr(number) - EFFECT_OF_PARENTS;
  }

  /** Of all levels, for a pixel of level 0, over all pieces. */
  bytesPerPixel(number: number): number {
    return this.perPixel((_, at) => this.piece(number, at).bytes);
  }

  /** The same of the lossless parameters. */
  losslessBytesPerPixel(): number {
    return this.perPixel((piece) => codedPiece(this.encoder, piece, this.lossless).bytes);
  }

  private perPixel(bytesOf: (piece: Pixels, at: number) => number): number {
    const { pieces } = this.sample;
    const area = pieces.reduce((sum, { width, height }) => sum + width * height, 0);
    return pieces.reduce((sum, piece, at) => sum + bytesOf(piece, at), 0) / area;
  }

  private ofFamilies(number: number): readonly [number, number] {
    const known = this.families.get(number);
    if (known) return known;
    const codec = this.codec(number);
    const originals = this.sample.families.map(({ image, quadrant: [x, y] }) => tileIn(image, x, y));
    const placed = this.sample.families.map((family) => tileOfFamily(this.encoder, family, codec));
    const alone = originals.map((tile) => codedPiece(this.encoder, tile, codec).pixels);
    const found = [pooled(placed, originals), pooled(alone, originals)] as const;
    this.families.set(number, found);
    return found;
  }

  private piece(number: number, at: number): Coded {
    const name = `${number} ${at}`;
    const found = this.coded.get(name) ?? codedPiece(this.encoder, this.sample.pieces[at]!, this.codec(number));
    this.coded.set(name, found);
    return found;
  }
}

interface Coded {
  readonly bytes: number;
  readonly pixels: Pixels;
}

const whole = ({ width, height }: Pixels) => ({ x: 0, y: 0, width, height });
const tileIn = (image: Pixels, x: number, y: number): Pixels =>
  part(image, TILE * x, TILE * y, Math.min(TILE, image.width - TILE * x), Math.min(TILE, image.height - TILE * y));

function encodedPiece(encoder: Encoder, piece: Pixels, codec: Codec) {
  return encoder.encodeApproximation(encoder.samples(piece, whole(piece), codec, 0), codec, 0, piece);
}

/** A piece as an approximation of level 0, decoded again. */
function codedPiece(encoder: Encoder, piece: Pixels, codec: Codec): Coded {
  const encoded = encodedPiece(encoder, piece, codec);
  const layers = layersOf(encoded);
  const parameters = encoder.kernel.readParameters(encoder.set(codec, 0, true));
  const samples = encoder.kernel.decodeApproximation({ parameters, address: { z: 0, x: 0, y: 0 }, layers });
  return { bytes: encoded.bytes.length, pixels: pixelsOf(encoder, samples, parameters, piece) };
}

/** A tile encoded and decoded with its parent, which is coded as an approximation. */
function tileOfFamily(encoder: Encoder, { image, quadrant: [qx, qy] }: Family, codec: Codec): Pixels {
  const [columns, rows] = [Math.ceil(image.width / TILE), Math.ceil(image.height / TILE)];
  const covered = new Int16Array(CHANNELS * PLANE);
  let own: Samples | null = null;
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < columns; x += 1) {
      const tile = tileIn(image, x, y);
      const samples = encoder.samples(tile, whole(tile), codec);
      if (x === qx && y === qy) own = samples;
      putQuadrant(encoder.means(samples), covered, TILE, x * HALF, y * HALF);
    }
  const parent = encoder.extend(covered, columns * HALF, rows * HALF, 0);
  const half = { width: Math.ceil(image.width / 2), height: Math.ceil(image.height / 2) };
  const coarse = encoder.kernel.readParameters(encoder.set(codec, 1, true));
  const top = layersOf(encoder.encodeApproximation(parent, codec, 1, half));
  const above = encoder.kernel.decodeApproximation({
    parameters: coarse,
    address: { z: 0, x: 0, y: 0 },
    layers: top,
  });
  const shown = tileIn(image, qx, qy);
  const place = { level: 0, x: qx, y: qy };
  const layers = layersOf(encoder.encodeTile(own!, parent, codec, place, shown));
  const parameters = encoder.kernel.readParameters(encoder.set(codec, 0, false));
  const decoded = encoder.kernel.decodeTile(above, { parameters, address: { z: 0, x: qx, y: qy }, layers });
  return pixelsOf(encoder, decoded, parameters, shown);
}

/** RGB of the top left part of a tile. */
export function pixelsOf(
  encoder: Encoder,
  samples: Samples,
  parameters: ParameterSet,
  { width, height }: { readonly width: number; readonly height: number },
): Pixels {
  const rgba = encoder.kernel.pixels(samples, parameters, { width, height });
  const data = new Uint8Array(3 * width * height);
  for (let i = 0, at = 0; i < data.length; i += 3, at += 4) data.set(rgba.subarray(at, at + 3), i);
  return { width, height, data };
}

/** Writes the means of a tile, [channel][128][128], into planes of `width` columns and as many rows as there are. */
export function putQuadrant(means: Int16Array, into: Int16Array, width: number, x: number, y: number): void {
  const plane = into.length / CHANNELS;
  for (let c = 0; c < CHANNELS; c += 1)
    for (let row = 0; row < HALF; row += 1) {
      const from = (c * HALF + row) * HALF;
      into.set(means.subarray(from, from + HALF), c * plane + (y + row) * width + x);
    }
}

/** The reversible transform that codes the most detailed part of the picture in the fewest bytes. */
export function losslessOf(encoder: Encoder, picture: Pixels): Codec {
  const detailed = mostDetailed(picture);
  const codecs = reversibleCandidates(detailed).map((candidate) => losslessCodec(...candidate));
  const sizes = codecs.map((codec) => encodedApproximation(encoder, detailed, codec));
  return codecs[sizes.indexOf(Math.min(...sizes))]!;
}

/** Of a top level as high as most slides have. */
const DEFAULT_TOP = 4;
const encodedApproximation = (encoder: Encoder, piece: Pixels, codec: Codec): number =>
  encoder.encodeApproximation(encoder.samples(piece, whole(piece), codec, 0), codec, DEFAULT_TOP, piece).bytes.length;

/** The part of at most one tile, on a grid of such, whose neighbouring pixels differ most. */
function mostDetailed(image: Pixels): Pixels {
  const places = (side: number): number[] => {
    const found: number[] = [];
    for (let at = 0; at < Math.max(1, side - TILE / 2); at += TILE) found.push(at);
    return found;
  };
  const parts = places(image.height).flatMap((y) =>
    places(image.width).map((x) =>
      part(image, x, y, Math.min(TILE, image.width - x), Math.min(TILE, image.height - y)),
    ),
  );
  const details = parts.map(({ width, height, data }) => {
    let sum = 0;
    for (let y = 0; y < height; y += 1)
      for (let at = 3 * width * y, end = at + 3 * (width - 1); at < end; at += 1)
        sum += Math.abs(data[at + 3]! - data[at]!);
    return sum;
  });
  return parts[details.indexOf(Math.max(...details))]!;
}

/** The least trial whose value reaches the target, or one that exceeds it by at most `close`; FINEST if none does. */
export function minNumber(
  value: (n: number) => number,
  target: number,
  slope: number,
  start: number,
  close = CLOSE,
): number {
  let below: readonly [number, number] | null = null;
  let above: readonly [number, number] | null = null;
  let number = Math.min(FINEST, Math.max(COARSEST, start));
  for (;;) {
    const found = value(number);
    if (found >= target) {
      above = [number, found];
      if (found - target <= close || number === COARSEST) return number;
    } else {
      below = [number, found];
      if (number === FINEST) return number;
    }
    if (above && below) {
      if (above[0] - below[0] <= 1) return above[0];
      const share = (target - below[1]) / Math.max(1e-9, above[1] - below[1]);
      number = halfEven(below[0] + share * (above[0] - below[0]) + 0.25);
      number = Math.min(above[0] - 1, Math.max(below[0] + 1, number));
    } else {
      let step = (target - found) / slope;
      step = Math.min(OCTAVE, Math.max(-OCTAVE, step + (step > 0 ? 2 : -2)));
      number = Math.min(FINEST, Math.max(COARSEST, number + halfEven(step)));
    }
  }
}

/** The trial whose value is nearest to the target. */
export function nearestNumber(value: (n: number) => number, target: number, slope: number, start: number): number {
  const number = minNumber(value, target, slope, start);
  const before = Math.max(COARSEST, number - 1);
  if (value(number) - target <= CLOSE) return number;
  return Math.abs(value(before) - target) < Math.abs(value(number) - target) ? before : number;
}

/** PSNR in dB, EXACT_PSNR at most. */
function pooled(made: readonly Pixels[], originals: readonly Pixels[]): number {
  let [squares, count] = [0, 0];
  for (const [i, { data }] of originals.entries()) {
    for (let at = 0; at < data.length; at += 1) squares += (made[i]!.data[at]! - data[at]!) ** 2;
    count += data.length;
  }
  return Math.min(EXACT_PSNR, 10 * Math.log10((255 ** 2 * count) / Math.max(squares, 1e-9)));
}
