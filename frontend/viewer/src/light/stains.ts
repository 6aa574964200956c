/** Stain views in integers (shared/spec/stains.md): the stored pixels as amounts of three stains, and the picture that some of them make. Pure. */
import type { Rgb, StainEntries } from "./adjustments";

/** Three densities in thousandths. */
export type StainVector = Rgb;

export interface StainView {
  /** The stain that is shown alone, 0 to 2; null: normalised. */
  readonly alone: number | null;
  readonly vectors: readonly [StainVector, StainVector, StainVector];
  /** Whether the vectors are those of Ruifrok. */
  readonly standard: boolean;
  /** The first two stains of a reference, with their ratios in percent. */
  readonly target: readonly (readonly [StainVector, number])[];
}

export interface StainTables {
  /** T of SN3: 9 x 256, by stain, component and value. */
  readonly amounts: Int32Array;
  /** W of SN4: 3 x 3, by stain and component. */
  readonly weights: Int32Array;
}

/** Haematoxylin, eosin, DAB (SN2). */
export const RUIFROK = [
  [650, 700, 290],
  [70, 990, 110],
  [270, 570, 780],
] as const satisfies readonly StainVector[];

/** The brightness of each density in 1/4096 (SN4). */
export const LEVELS = Uint8Array.from({ length: 16384 }, (_, d) => Math.floor(255 * 10 ** (-d / 4096) + 0.5));

const LEAST_DETERMINANT = 0.01;

/** The view that entries describe (SN7); null if they describe none. */
export function stainViewOf(entries: StainEntries): StainView | null {
  const { stain, stain1, stain2, stainTo1, stainTo2 } = entries;
  if (stain !== 0 && stain !== 1 && stain !== 2 && stain !== 3) return null;
  const standard = stain1 === undefined && stain2 === undefined;
  const vectors = standard ? RUIFROK : withResidual(vectorOf(stain1), vectorOf(stain2));
  if (!vectors || Math.abs(determinant(vectors)) < LEAST_DETERMINANT) return null;
  if (stain > 0) return { alone: stain - 1, vectors, standard, target: [] };
  const target = [targetOf(stainTo1), targetOf(stainTo2)].filter((one) => one !== null);
  return target.length === 2 ? { alone: null, vectors, standard, target } : null;
}

function vectorOf(value: unknown): StainVector | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const within = value.every((k): k is number => Number.isInteger(k) && k >= 0 && k <= 1000);
  return within ? [value[0] as number, value[1] as number, value[2] as number] : null;
}

function targetOf(value: unknown): readonly [StainVector, number] | null {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const vector = vectorOf(value.slice(0, 3));
  const ratio: unknown = value[3];
  return vector && typeof ratio === "number" && Number.isInteger(ratio) && ratio >= 25 && ratio <= 400
    ? [vector, ratio]
    : null;
}

/** Two stains and the direction that is neither (SN2). */
export function withResidual(first: StainVector | null, second: StainVector | null): StainView["vectors"] | null {
  if (!first || !second) return null;
  const across = cross(first, second);
  const length = Math.hypot(...across);
  if (length === 0) return null;
  const [red, green, blue] = across.map((k) => Math.floor((1000 * k) / length + 0.5)) as [number, number, number];
  return [first, second, [red, green, blue]];
}

export function tablesOf({ alone, vectors, target }: StainView, white: Rgb | null): StainTables {
  const inverse = inverseOf(vectors);
  const amounts = new Int32Array(9 * 256);
  for (let c = 0; c < 3; c++)
    for (let v = 0; v < 256; v++) {
      const d = densityOf(v, white?.[c] ?? 255);
      for (let s = 0; s < 3; s++) amounts[(3 * s + c) * 256 + v] = Math.floor(65536 * d * inverse[c]![s]! + 0.5);
    }
  const weights = new Int32Array(9);
  for (let c = 0; c < 3; c++) {
    if (alone !== null) weights[3 * alone + c] = Math.floor((2048 * vectors[alone]![c]!) / 1000 + 0.5);
    target.forEach(([vector, ratio], s) => {
      weights[3 * s + c] = Math.floor((2048 * vector[c]! * ratio) / 100_000 + 0.5);
    });
  }
  return { amounts, weights };
}

/** SN1. */
export function densityOf(value: number, white: number): number {
  return Math.max(0, -Math.log10(Math.max(value / white, 1e-6)));
}

/** The amount of a stain in a pixel, in 1/4096 of a density (SN3). */
export function amountOf({ amounts }: StainTables, stain: number, red: number, green: number, blue: number): number {
  const at = 768 * stain;
  const sum = amounts[at + red]! + amounts[at + 256 + green]! + amounts[at + 512 + blue]!;
  return Math.min(65535, Math.max(0, (sum + 8) >> 4));
}

/** Makes the view of RGBA pixels, in place (SN4); the alpha stays. */
export function applyStains(tables: StainTables, rgba: Uint8ClampedArray): void {
  const { weights } = tables;
  const shown = [0, 1, 2].filter((s) => weights.subarray(3 * s, 3 * s + 3).some((w) => w !== 0));
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] === 0) continue;
    let [red, green, blue] = [1024, 1024, 1024];
    for (const s of shown) {
      const a = amountOf(tables, s, rgba[i]!, rgba[i + 1]!, rgba[i + 2]!);
      red += a * weights[3 * s]!;
      green += a * weights[3 * s + 1]!;
      blue += a * weights[3 * s + 2]!;
    }
    rgba[i] = levelOf(red);
    rgba[i + 1] = levelOf(green);
    rgba[i + 2] = levelOf(blue);
  }
}

const levelOf = (sum: number): number => LEVELS[Math.min(16383, Math.max(0, sum >> 11))]!;

function cross(a: Rgb, b: Rgb): Rgb {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Of M / 1000. */
export function determinant([a, b, c]: StainView["vectors"]): number {
  const [x, y, z] = cross(b, c);
  return (a[0] * x + a[1] * y + a[2] * z) / 1e9;
}

/** N of SN3, rows by component. */
function inverseOf(vectors: StainView["vectors"]): readonly Rgb[] {
  const [a, b, c] = vectors;
  const columns = [cross(b, c), cross(c, a), cross(a, b)];
  const scale = 1e6 * determinant(vectors);
  return [0, 1, 2].map((k) => [columns[0]![k]! / scale, columns[1]![k]! / scale, columns[2]![k]! / scale]);
}
