/** The stains of a slide, estimated from its own pixels by Macenko's method (SN8). Pure. */
import type { Rgb } from "./adjustments";
import { type StainVector, amountOf, densityOf, determinant, stainViewOf, tablesOf } from "./stains";

export interface StainEstimate {
  readonly vectors: readonly [StainVector, StainVector];
  /** The amount of each in the slide, as densities. */
  readonly most: readonly [number, number];
}

const LEAST_DENSITY = 0.15;
const LEAST_PIXELS = 1000;
/** Of two directions: the sine of 5 degrees. */
const LEAST_DIFFERENCE = 0.087;
/** Steps of the angle of half a turn. */
const ANGLES = 8192;

/** Of RGBA pixels; null where there is too little stain, or of one kind only. */
export function estimateStains(rgba: Uint8ClampedArray, white: Rgb | null): StainEstimate | null {
  const densities = densitiesOf(rgba, white);
  if (densities.length < 3 * LEAST_PIXELS) return null;
  const [across, along] = principal(covarianceOf(densities));
  const ends = outermost(densities, across, along);
  const [one, other] = ends.map((angle) => vectorAt(angle, across, along)) as [StainVector, StainVector];
  const vectors: StainEstimate["vectors"] = one[0] > other[0] ? [one, other] : [other, one];
  const view = stainViewOf({ stain: 1, stain1: vectors[0], stain2: vectors[1] });
  if (!view || determinant(view.vectors) < LEAST_DIFFERENCE) return null;
  const tables = tablesOf(view, white);
  const most = [0, 1].map((s) => amountAt99(rgba, (r, g, b) => amountOf(tables, s, r, g, b)));
  return { vectors, most: [most[0]!, most[1]!] };
}

/** What the stain beside haematoxylin is: a brown one absorbs more blue than green. */
export function secondStain([, green, blue]: StainVector): "eosin" | "dab" {
  return blue > green ? "dab" : "eosin";
}

/** The ratio of SN6 in percent, within its limits. */
export function ratioOf(reference: number, own: number): number {
  return Math.min(400, Math.max(25, Math.round((100 * reference) / Math.max(own, 1 / 4096))));
}

/** Densities of the stained pixels, three each. */
function densitiesOf(rgba: Uint8ClampedArray, white: Rgb | null): Float32Array {
  const tables = [0, 1, 2].map((c) => Float32Array.from({ length: 256 }, (_, v) => densityOf(v, white?.[c] ?? 255)));
  const found = new Float32Array((3 * rgba.length) / 4);
  let count = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    const [d0, d1, d2] = [tables[0]![rgba[i]!]!, tables[1]![rgba[i + 1]!]!, tables[2]![rgba[i + 2]!]!];
    if (rgba[i + 3] !== 255 || Math.min(d0, d1, d2) <= LEAST_DENSITY) continue;
    found[count++] = d0;
    found[count++] = d1;
    found[count++] = d2;
  }
  return found.subarray(0, count);
}

function covarianceOf(densities: Float32Array): number[][] {
  const count = densities.length / 3;
  const means = [0, 0, 0];
  for (let i = 0; i < densities.length; i++) means[i % 3]! += densities[i]! / count;
  const sums = [0, 1, 2].map(() => [0, 0, 0]);
  for (let i = 0; i < densities.length; i += 3)
    for (let j = 0; j < 3; j++)
      for (let k = 0; k < 3; k++)
        sums[j]![k]! += ((densities[i + j]! - means[j]!) * (densities[i + k]! - means[k]!)) / count;
  return sums;
}

/** The two largest eigenvectors of a symmetric matrix, each with a sum above 0: by powers, the first taken out before the second. */
function principal(matrix: readonly (readonly number[])[]): [Rgb, Rgb] {
  const first = largest(matrix, null);
  return [first, largest(matrix, first)];
}

function largest(matrix: readonly (readonly number[])[], without: Rgb | null): Rgb {
  let vector: Rgb = [0.6, 0.7, 0.4];
  for (let step = 0; step < 500; step++) {
    const next = matrix.map((row) => dot(row as unknown as Rgb, vector)) as unknown as Rgb;
    vector = unit(without ? orthogonal(next, without) : next);
  }
  return dot(vector, [1, 1, 1]) < 0 ? [-vector[0], -vector[1], -vector[2]] : vector;
}

const orthogonal = (a: Rgb, to: Rgb): Rgb => {
  const along = dot(a, to);
  return [a[0] - along * to[0], a[1] - along * to[1], a[2] - along * to[2]];
};

/** The percentiles 1 and 99 of the angles in the plane, from a histogram. */
function outermost(densities: Float32Array, across: Rgb, along: Rgb): [number, number] {
  const histogram = new Uint32Array(ANGLES);
  for (let i = 0; i < densities.length; i += 3) {
    const d: Rgb = [densities[i]!, densities[i + 1]!, densities[i + 2]!];
    const angle = Math.atan2(dot(d, along), dot(d, across));
    histogram[Math.min(ANGLES - 1, Math.max(0, Math.floor((angle / Math.PI + 0.5) * ANGLES)))]! += 1;
  }
  const total = densities.length / 3;
  const angleOf = (part: number): number => ((percentile(histogram, part * total) + 0.5) / ANGLES - 0.5) * Math.PI;
  return [angleOf(0.01), angleOf(0.99)];
}

/** The entry of a histogram in which the count is reached. */
function percentile(histogram: Uint32Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < histogram.length; i++) {
    sum += histogram[i]!;
    if (sum >= count) return i;
  }
  return histogram.length - 1;
}

function vectorAt(angle: number, across: Rgb, along: Rgb): StainVector {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const vector = unit([0, 1, 2].map((c) => Math.max(0, cos * across[c]! + sin * along[c]!)) as unknown as Rgb);
  return vector.map((k) => Math.round(1000 * k)) as unknown as StainVector;
}

/** The percentile 99 of the amounts of the pixels on the slide. */
function amountAt99(rgba: Uint8ClampedArray, amount: (r: number, g: number, b: number) => number): number {
  const histogram = new Uint32Array(65536);
  let total = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] !== 255) continue;
    histogram[amount(rgba[i]!, rgba[i + 1]!, rgba[i + 2]!)]! += 1;
    total += 1;
  }
  return percentile(histogram, 0.99 * total) / 4096;
}

function dot(a: Rgb, b: Rgb): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(a: Rgb): Rgb {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
