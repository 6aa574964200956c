/** Encode parameters of a slide, and its parameter sets (CS9); the twin of backend/src/wavescope/kernel/parameters.py for RGB. */
import { TILE } from "../../geometry/pyramid";
import { bytesOfHex } from "../../wire/slides/hexadecimal";
import { halfEven } from "./json";

export const CHANNELS = 3;
const ONE = 1 << 14;
const LEVELS = 10;
const DEAD_ZONE = 110;
const DEPTH = 4;
const MATRIX = 1;
/** Transforms: two families of three. */
const YCOCG_G = 2;
const SUBTRACT_B = 7;

type Three = readonly [number, number, number];
/** By channel and band (HL, LH, HH). */
type Table = readonly Three[];

/** In the order and with the names of the manifest. */
export interface Codec {
  readonly profile: "visual" | "lossless";
  readonly channels: number;
  readonly layers: number;
  readonly fraction_bits: number;
  readonly colour: number;
  readonly forward: readonly number[];
  readonly inverse: readonly number[];
  /** By layer and level. */
  readonly shifts: readonly (readonly Table[])[];
  /** By level. */
  readonly steps: readonly Table[];
  readonly dead_zone: number;
  readonly rate_weight: number;
  readonly key: string;
}

/** RGB, interleaved, of `width` columns. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Pixels of the longer side of a slide whose layer 0 leaves nothing to layer 1. */
const SMALL = 512;

const same = (value: number): Table => Array.from({ length: CHANNELS }, () => [value, value, value] as const);
const everyLevel = <T>(make: (level: number) => T): readonly T[] => Array.from({ length: LEVELS }, (_, n) => make(n));

/** Of the visual profile, by level: of HL and LH of channel 0; of HH beside these; of channels 1 and 2 beside channel 0; bits that layer 0 leaves. */
interface StepTable {
  readonly light: readonly number[];
  readonly diagonal: readonly number[];
  readonly colour: readonly (readonly number[])[];
  readonly shifts: readonly Table[];
  readonly rateWeight: number;
}

export type Steps = "even" | "perceptual";

/** The least squared error, and the best score of SSIMULACRA 2 (decision 0031). */
const TABLES: Readonly<Record<Steps, StepTable>> = {
  even: {
    light: everyLevel((level) => 17 / 2 ** level),
    diagonal: everyLevel(() => 2),
    colour: everyLevel(() => [1, 1]),
    shifts: [
      [[0, 0, 1], ...same(0).slice(1)],
      [[1, 1, 0], ...same(0).slice(1)],
      [[1, 1, 0], ...same(0).slice(1)],
      ...[2, 2, 3, 2, 2, 2, 2].map(same),
    ],
    rateWeight: 24,
  },
  perceptual: {
    light: [32, 11, 2.2, 0.9, 0.45, 0.28, 0.18, 0.11, 0.07, 0.0625],
    diagonal: [2.5, 2.2, 2, 2, 2, 2, 2, 2, 2, 2],
    colour: [[2.0, 1.6], [2.0, 1.6], [2.4, 2.2], [1.8, 1.2], ...Array.from({ length: LEVELS - 4 }, () => [1.0, 0.8])],
    shifts: [0, 0, 1, 2, 3, 3, 2, 2, 2, 2].map(same),
    rateWeight: 8,
  },
};

/** The steps of a table, divided by `quality`. */
export function stepsOf(steps: Steps, quality: number): readonly Table[] {
  const { light, diagonal, colour } = TABLES[steps];
  return everyLevel((level) =>
    [1, ...colour[level]!].map((beside) => {
      const own = (light[level]! * beside) / quality;
      const [hl, hh] = [own, own * diagonal[level]!].map((value) => Math.min(4095, Math.max(1, halfEven(16 * value))));
      return [hl!, hl!, hh!] as const;
    }),
  );
}

/** Encode parameters for a slide that looks like the picture and has this longer side, without a key. */
export function visualCodec(picture: Pixels, steps: Steps, side: number): Codec {
  const axes = colourAxes(picture);
  const q14 = (at: (row: number, column: number) => number): number[] =>
    Array.from({ length: 9 }, (_, i) => halfEven(at(Math.floor(i / 3), i % 3) * ONE));
  return {
    profile: "visual",
    channels: CHANNELS,
    layers: 2,
    fraction_bits: 4,
    colour: MATRIX,
    forward: q14((row, column) => axes[row]![column]!),
    inverse: q14((row, column) => axes[column]![row]!),
    shifts: [side <= SMALL ? everyLevel(() => same(0)) : TABLES[steps].shifts, everyLevel(() => same(0))],
    steps: stepsOf(steps, 1),
    dead_zone: DEAD_ZONE,
    rate_weight: TABLES[steps].rateWeight,
    key: "0".repeat(32),
  };
}

/** Exact with all layers. */
export function losslessCodec(colour: number, lifting: Three): Codec {
  const layers = 3;
  const shift = (layer: number, level: number, channel: number, band: number): number =>
    layer === layers - 1 ? 0 : Math.max(0, 3 - layer - level + Number(band === 2) + Number(channel > 0));
  return {
    profile: "lossless",
    channels: CHANNELS,
    layers,
    fraction_bits: 0,
    colour,
    forward: Array.from({ length: 9 }, () => 0),
    inverse: [...lifting, 0, 0, 0, 0, 0, 0],
    shifts: Array.from({ length: layers }, (_, layer) =>
      everyLevel((level) =>
        [0, 1, 2].map((channel) => [0, 1, 2].map((band) => shift(layer, level, channel, band)) as unknown as Three),
      ),
    ),
    steps: everyLevel(() => same(1)),
    dead_zone: 0,
    rate_weight: 0,
    key: "0".repeat(32),
  };
}

/** The parameter set of the blocks of a level, or of the approximation on it (CS9). */
export function parameterSet(codec: Codec, level: number, approximation: boolean): Uint8Array {
  const depth = approximation ? DEPTH : 1;
  const bytes = [0x57, 0x53, 1, 0, Number(approximation), level, Math.log2(TILE), Number(codec.profile === "visual")];
  bytes.push(codec.layers, 1, 0, codec.channels, 8, codec.fraction_bits, codec.colour, 0, ...bytesOfHex(codec.key));
  const two = (value: number): void => void bytes.push(value & 255, (value >> 8) & 255);
  if (codec.colour === MATRIX) codec.inverse.forEach(two);
  else bytes.push(...codec.inverse.slice(0, 3).map((value) => value & 255));
  for (let d = 0; d < depth; d += 1) {
    const n = Math.min(level + d, LEVELS - 1);
    for (let channel = 0; channel < codec.channels; channel += 1)
      for (let band = 0; band < 3; band += 1) {
        for (const layer of codec.shifts.slice(0, -1)) bytes.push(layer[n]![channel]![band]!);
        two(codec.steps[n]![channel]![band]!);
      }
  }
  return Uint8Array.from(bytes);
}

/** The kernel's ws_tuning for a tile of which so much is ever shown. */
export function tuning(codec: Codec, width = TILE, height = TILE): Int32Array {
  return Int32Array.of(...codec.forward, codec.dead_zone, codec.rate_weight, width, height);
}

// --- colour ----------------------------------------------------------------------------------------------------------

const FALLBACK = [
  [1, 1, 1].map((v) => v / Math.sqrt(3)),
  [1, 0, -1].map((v) => v / Math.sqrt(2)),
  [-1, 2, -1].map((v) => v / Math.sqrt(6)),
];

/** Sums of products of the channels of differences, as `each` gives them to `add`. */
function products(each: (add: (r: number, g: number, b: number) => void) => void): [number[][], number] {
  let [rr, rg, rb, gg, gb, bb, count] = [0, 0, 0, 0, 0, 0, 0];
  each((r, g, b) => {
    rr += r * r;
    rg += r * g;
    rb += r * b;
    gg += g * g;
    gb += g * b;
    bb += b * b;
    count += 1;
  });
  const sums = [
    [rr, rg, rb],
    [rg, gg, gb],
    [rb, gb, bb],
  ];
  return [sums, count];
}

/** Rows: orthonormal colour axes, those of the first differences of neighbouring pixels; FALLBACK where they determine none. */
function colourAxes({ width, height, data }: Pixels): number[][] {
  const row = 3 * width;
  const [sums, count] = products((add) => {
    for (let y = 0; y < height; y += 1)
      for (let at = y * row, x = 0; x < width; x += 1, at += 3) {
        const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!];
        if (x + 1 < width) add(data[at + 3]! - r, data[at + 4]! - g, data[at + 5]! - b);
        if (y + 1 < height) add(data[at + row]! - r, data[at + row + 1]! - g, data[at + row + 2]! - b);
      }
  });
  if (count === 0) return FALLBACK;
  const { values, vectors } = eigen(sums.map((line) => line.map((value) => value / count)));
  const [low, middle, high] = values as [number, number, number];
  if (low < 1e-3 || middle < 1.02 * low || high < 1.02 * middle) return FALLBACK;
  return vectors.reverse().map((axis) => {
    const magnitudes = axis.map(Math.abs);
    const sign = Math.sign(axis[magnitudes.indexOf(Math.max(...magnitudes))]!);
    return axis.map((value) => value * sign);
  });
}

/** Of a symmetric 3 x 3 matrix, by Jacobi's rotations: values, rising, and their vectors. */
function eigen(matrix: number[][]): { values: number[]; vectors: number[][] } {
  const a = matrix.map((line) => line.slice());
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 30; sweep += 1)
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      if (a[p]![q] === 0) continue;
      const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      const turn = (line: number[]): void => {
        const [x, y] = [line[p]!, line[q]!];
        line[p] = c * x - s * y;
        line[q] = s * x + c * y;
      };
      a.forEach(turn);
      for (let k = 0; k < 3; k += 1) {
        const [x, y] = [a[p]![k]!, a[q]![k]!];
        a[p]![k] = c * x - s * y;
        a[q]![k] = s * x + c * y;
      }
      v.forEach(turn);
    }
  const order = [0, 1, 2].sort((i, j) => a[i]![i]! - a[j]![j]!);
  return { values: order.map((i) => a[i]![i]!), vectors: order.map((i) => v.map((line) => line[i]!)) };
}

/** (colour, lifting) of all reversible transforms, each without and with predictions between its channels. */
export function reversibleCandidates({ width, height, data }: Pixels): [number, Three][] {
  const colours = Array.from({ length: SUBTRACT_B - YCOCG_G + 1 }, (_, i) => YCOCG_G + i);
  const plain = colours.map((colour): [number, Three] => [colour, [0, 0, 0]]);
  if (!((width > 2 && height > 0) || (height > 2 && width > 0))) return plain;
  const row = 3 * width;
  const bends = (take: (r: number, g: number, b: number) => void): void => {
    const bend = (at: number, step: number): number => data[at]! - ((data[at - step]! + data[at + step]!) >> 1);
    for (let y = 0; y < height; y += 1)
      for (let at = y * row, x = 0; x < width; x += 1, at += 3) {
        if (x > 0 && x + 1 < width) take(bend(at, 3), bend(at + 1, 3), bend(at + 2, 3));
        if (y > 0 && y + 1 < height) take(bend(at, row), bend(at + 1, row), bend(at + 2, row));
      }
  };
  return [...plain, ...colours.map((colour): [number, Three] => [colour, lifting(bends, colour)])];
}

const CENTRES = [
  [0, 2, 1],
  [1, 2, 0],
  [0, 1, 2],
] as const;

/** Predictions, in 1/16, of channel 1 from 0 and of 2 from 0 and 1, by least squares. */
function lifting(bends: (take: (r: number, g: number, b: number) => void) => void, colour: number): Three {
  const [i, j, k] = CENTRES[(colour - YCOCG_G) % 3]!;
  const [s] = products((add) =>
    bends((...rgb) => {
      const [a, b, centre] = [rgb[i], rgb[j], rgb[k]];
      if (colour > YCOCG_G + 2) return add(centre, a - centre, b - centre);
      const co = a - b;
      const mean = b + (co >> 1);
      add(mean + ((centre - mean) >> 1), co, centre - mean);
    }),
  );
  for (let n = 0; n < 3; n += 1) s[n]![n]! += 1;
  const [s00, s01, s11, s02, s12] = [s[0]![0]!, s[0]![1]!, s[1]![1]!, s[0]![2]!, s[1]![2]!];
  const determinant = s00 * s11 - s01 * s01;
  const k20 = (s02 * s11 - s12 * s01) / determinant;
  const k21 = (s00 * s12 - s01 * s02) / determinant;
  return [s01 / s00, k20, k21].map((value) => Math.min(32, Math.max(-32, halfEven(16 * value)))) as unknown as Three;
}
