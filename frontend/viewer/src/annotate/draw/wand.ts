/** The wand: what is connected to a point of a picture and of a similar colour, as an outline. Pure; coordinates are the picture's pixels. */
import { contours } from "d3-contour";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha, row by row. */
  readonly data: ArrayLike<number>;
}

/** Rings of x, y, x, y ..., each closed: of every polygon its outline, then its holes. */
export type Rings = readonly (readonly number[])[];

const SPECK = 12; // pixels; smaller holes are noise
const REACH = 1; // pixels round the point whose mean colour is meant

/**
 * The pixels that are connected to (x, y), over edges, and differ from the mean colour there by at most `tolerance` (0 to 255) in each of red,
 * green and blue, as one polygon; [] where the point lies outside.
 */
export function grown(picture: Picture, x: number, y: number, tolerance: number): Rings {
  const { width, height } = picture;
  if (!(x >= 0 && y >= 0 && x < width && y < height)) return [];
  const mask = flooded(picture, Math.floor(x), Math.floor(y), tolerance);
  const { coordinates } = contours()
    .size([width, height])
    .smooth(false)
    .contour(mask as unknown as number[], 0.5);
  return coordinates.flatMap(([outline, ...holes]) =>
    [outline!, ...holes.filter((hole) => areaOf(hole) >= SPECK)].map((ring) => ring.flat()),
  );
}

/** Scanline flood fill. */
function flooded({ width, height, data }: Picture, x: number, y: number, tolerance: number): Uint8Array {
  const mask = new Uint8Array(width * height);
  const mean = meanAt({ width, height, data }, x, y);
  const isAlike = (at: number): boolean =>
    mask[at] === 0 &&
    Math.abs(data[4 * at]! - mean[0]) <= tolerance &&
    Math.abs(data[4 * at + 1]! - mean[1]) <= tolerance &&
    Math.abs(data[4 * at + 2]! - mean[2]) <= tolerance;
  const seeds = [y * width + x];
  for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
    if (!isAlike(seed)) continue;
    const row = Math.floor(seed / width) * width;
    let [left, right] = [seed, seed];
    while (left > row && isAlike(left - 1)) left -= 1;
    while (right < row + width - 1 && isAlike(right + 1)) right += 1;
    mask.fill(1, left, right + 1);
    for (const next of [row - width, row + width]) {
      if (next < 0 || next >= mask.length) continue;
      let begun = false;
      for (let at = next + left - row; at <= next + right - row; at += 1) {
        const alike = isAlike(at);
        if (alike && !begun) seeds.push(at);
        begun = alike;
      }
    }
  }
  return mask;
}

function meanAt({ width, height, data }: Picture, x: number, y: number): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let row = Math.max(0, y - REACH); row <= Math.min(height - 1, y + REACH); row += 1)
    for (let column = Math.max(0, x - REACH); column <= Math.min(width - 1, x + REACH); column += 1) {
      const at = 4 * (row * width + column);
      for (const c of [0, 1, 2] as const) sum[c] += data[at + c]!;
      count += 1;
    }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

function areaOf(ring: readonly (readonly number[])[]): number {
  let twice = 0;
  for (let i = 0; i + 1 < ring.length; i += 1)
    twice += ring[i]![0]! * ring[i + 1]![1]! - ring[i + 1]![0]! * ring[i]![1]!;
  return Math.abs(twice) / 2;
}
