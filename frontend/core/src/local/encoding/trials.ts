/** Encode parameters for a quality, by a closed loop over pieces of the slide (decision 0008); the twin of ingest/quality/. */
import { TILE } from "../../geometry/pyramid";
import type { ParameterSet, Samples } from "../../codec/kernel";
import { type Codec, CHANNELS, type Pixels, losslessCodec, reversibleCandidates, stepsOf, visualCodec } from "./codec";
import { type Encoder, HALF, PLANE, layersOf } from "./encoder";
import { Real, halfEven, rounded } from "./json";
import { type Family, type Sample, part, tissue } from "./sampling";
import { Original } from "./ssimulacra2";

export const EXACT_PSNR = 99;
const OCTAVE = 32;
const COARSEST = -4 * OCTAVE;
const FINEST = 4 * OCTAVE;
const PIECES = 8;
const PSNR_SLOPE = 0.16;
const SCORE_SLOPE = 0.4;
const EFFECT_OF_PARENTS = 0.6;
const CLOSE = 0.1;
const CONFIDENT_MARGIN = 3;
/** Of the presets: the score, the least PSNR of tiles in a slide, and the trial to begin with. */
const PRESETS = {
  compact: { score: 70, psnr: 29.25, start: -36 },
  visual: { score: 80, psnr: 32.25, start: -12 },
  fine: { score: 90, psnr: 32.25, start: 18 },
} as const;

export const QUALITIES = ["compact", "visual", "fine", "lossless"] as const;
/** Those that need nothing of the file but its pixels. */
export type LocalQuality = (typeof QUALITIES)[number];

/** The encode parameters, without a key, and how they were chosen, as the manifest has it. */
export interface Choice {
  readonly codec: Codec;
  readonly chosen: Readonly<Record<string, string | Real | null | readonly string[]>>;
  /** Column and row of the tiles on which the result is measured; none: those of `tilesWithTissue`. */
  readonly tiles: Sample["tiles"];
}

export function choose(encoder: Encoder, sample: Sample, quality: LocalQuality): Choice {
  const facts = (reason: string, factor: number | null, psnr: number, score: number): Choice["chosen"] => ({
    quality,
    reason,
    target: null,
    factor: factor === null ? null : new Real(factor),
    psnr: new Real(psnr),
    measure: "SSIMULACRA 2",
    score: new Real(score),
    reencoded: [],
  });
  if (quality === "lossless") {
    const chosen = facts("target", null, EXACT_PSNR, 100);
    return { codec: losslessOf(encoder, sample.image), chosen, tiles: [] };
  }
  const trials = new Trials(encoder, sample);
  const [number, reason] = trials.preset(quality);
  const psnr = rounded(trials.psnrOfTiles(number), 2);
  const factor = rounded(2 ** (-number / OCTAVE), 4);
  const chosen = facts(reason, factor, psnr, rounded(trials.score(number), 1));
  return { codec: trials.codec(number), chosen, tiles: sample.tiles };
}

/** Trial `number` has the table's steps divided by 2 ** (number / OCTAVE); higher numbers are better and larger. */
class Trials {
  private readonly base: Codec;
  private readonly tissue: readonly number[];
  private readonly coded = new Map<string, Pixels>();
  private readonly families = new Map<number, readonly [placed: number, alone: number]>();
  private readonly scores = new Map<number, number>();
  private readonly originals: readonly Original[];

  constructor(
    private readonly encoder: Encoder,
    private readonly sample: Sample,
  ) {
    this.base = visualCodec(sample.image, sample.side);
    this.tissue = tissue(sample.pieces, PIECES);
    this.originals = this.tissue.map((at) => new Original(sample.pieces[at]!));
  }

  codec(number: number): Codec {
    return { ...this.base, steps: stepsOf(2 ** (number / OCTAVE)) };
  }

  /** The coarsest trial with a preset's score and PSNR, and which of them decided. */
  preset(name: keyof typeof PRESETS): [number, string] {
    const { score, psnr, start } = PRESETS[name];
    const number = minNumber((n) => this.score(n), score, SCORE_SLOPE, start);
    if (this.psnr(number) >= psnr + CONFIDENT_MARGIN || this.psnrInSlide(number) >= psnr) return [number, "score"];
    return [minNumber((n) => this.psnrInSlide(n), psnr, PSNR_SLOPE, number, CLOSE / 4), "least PSNR"];
  }

  score(number: number): number {
    const known = this.scores.get(number);
    if (known !== undefined) return known;
    const scores = this.tissue.map((at, i) => this.originals[i]!.score(this.piece(number, at)));
    const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
    this.scores.set(number, mean);
    return mean;
  }

  psnrOfTiles(number: number): number {
    const [placed, alone] = this.sample.families.length > 0 ? this.ofFamilies(number) : [0, 0];
    return this.psnr(number) + (placed - alone);
  }

  private psnr(number: number): number {
    return pooled(
      this.tissue.map((at) => this.piece(number, at)),
      this.tissue.map((at) => this.sample.pieces[at]!),
    );
  }

  private psnrInSlide(number: number): number {
    return this.sample.families.length > 0 ? this.ofFamilies(number)[0] : this.psnr(number) - EFFECT_OF_PARENTS;
  }

  private ofFamilies(number: number): readonly [number, number] {
    const known = this.families.get(number);
    if (known) return known;
    const codec = this.codec(number);
    const originals = this.sample.families.map(({ image, quadrant: [x, y] }) => tileIn(image, x, y));
    const placed = this.sample.families.map((family) => tileOfFamily(this.encoder, family, codec));
    const alone = originals.map((tile) => codedPiece(this.encoder, tile, codec));
    const found = [pooled(placed, originals), pooled(alone, originals)] as const;
    this.families.set(number, found);
    return found;
  }

  private piece(number: number, at: number): Pixels {
    const name = `${number} ${at}`;
    const found = this.coded.get(name) ?? codedPiece(this.encoder, this.sample.pieces[at]!, this.codec(number));
    this.coded.set(name, found);
    return found;
  }
}

const whole = ({ width, height }: Pixels) => ({ x: 0, y: 0, width, height });
const tileIn = (image: Pixels, x: number, y: number): Pixels =>
  part(image, TILE * x, TILE * y, Math.min(TILE, image.width - TILE * x), Math.min(TILE, image.height - TILE * y));

function encodedPiece(encoder: Encoder, piece: Pixels, codec: Codec) {
  return encoder.encodeApproximation(encoder.samples(piece, whole(piece), codec, 0), codec, 0, piece);
}

/** A piece as an approximation of level 0, decoded again. */
function codedPiece(encoder: Encoder, piece: Pixels, codec: Codec): Pixels {
  const layers = layersOf(encodedPiece(encoder, piece, codec));
  const parameters = encoder.kernel.readParameters(encoder.set(codec, 0, true));
  const samples = encoder.kernel.decodeApproximation({ parameters, address: { z: 0, x: 0, y: 0 }, layers });
  return pixelsOf(encoder, samples, parameters, piece);
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
function losslessOf(encoder: Encoder, picture: Pixels): Codec {
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
function minNumber(value: (n: number) => number, target: number, slope: number, start: number, close = CLOSE): number {
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

/** PSNR in dB, EXACT_PSNR at most. */
function pooled(made: readonly Pixels[], originals: readonly Pixels[]): number {
  let [squares, count] = [0, 0];
  for (const [i, { data }] of originals.entries()) {
    for (let at = 0; at < data.length; at += 1) squares += (made[i]!.data[at]! - data[at]!) ** 2;
    count += data.length;
  }
  return Math.min(EXACT_PSNR, 10 * Math.log10((255 ** 2 * count) / Math.max(squares, 1e-9)));
}
