/** Millions of points over a slide in flat arrays: what is painted, what lies where. Pure. */
import { type Matrix, onSlide, scaleOf } from "../annotate/paint/matrix";

export interface Points {
  /** x, y of each, in level-0 pixels. */
  readonly xy: Float32Array;
  /** Of each point: the number of its colour. */
  readonly codes: Uint8Array;
  /** 256 colours, 0xAABBGGRR. */
  readonly colours: Uint32Array;
}

export interface Raster {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
}

const LARGEST = 9; // CSS pixels of a point
const LEAST = 2;
const EXTENT = 10; // level-0 pixels that a point stands for
const HALO = 2; // CSS pixels around a selected point
const BLACK = 0xff000000;
const WHITE = 0xffffffff;

/** Device pixels of a point's side; `ratio`: of them for each CSS pixel. */
export const pointSize = (matrix: Matrix, ratio: number): number =>
  Math.max(1, Math.round(Math.min(LARGEST * ratio, Math.max(LEAST * ratio, EXTENT * scaleOf(matrix)))));

/** Paints all points that the raster shows, later ones above; `matrix`: from level-0 pixels to those of the raster. */
export function paintPoints(raster: Raster, { xy, codes, colours }: Points, matrix: Matrix, size: number): void {
  raster.pixels.fill(0);
  for (let i = 0; i < codes.length; i += 1) paint(raster, xy, i, matrix, size, colours[codes[i]!]!);
}

/** Marks selected points, above what is painted. */
export function paintSelected(raster: Raster, points: Points, rows: Uint32Array, matrix: Matrix, size: number): void {
  const { xy, codes, colours } = points;
  for (const row of rows) {
    paint(raster, xy, row, matrix, size + 2 * HALO, BLACK);
    paint(raster, xy, row, matrix, size + HALO, WHITE);
    paint(raster, xy, row, matrix, size, colours[codes[row]!]!);
  }
}

function paint(raster: Raster, xy: Float32Array, i: number, matrix: Matrix, size: number, colour: number): void {
  const { pixels, width, height } = raster;
  const [x, y] = [xy[2 * i]!, xy[2 * i + 1]!];
  const left = Math.round(matrix.a * x + matrix.c * y + matrix.e - size / 2);
  const top = Math.round(matrix.b * x + matrix.d * y + matrix.f - size / 2);
  if (left <= -size || top <= -size || left >= width || top >= height) return;
  const [from, to] = [Math.max(0, left), Math.min(width, left + size)];
  const bottom = Math.min(height, top + size);
  for (let row = Math.max(0, top); row < bottom; row += 1) {
    const start = row * width;
    for (let at = start + from; at < start + to; at += 1) pixels[at] = colour;
  }
}

/** The point nearest to a level-0 position, at most `reach` away; null: there is none. */
export function nearestPoint({ xy }: Pick<Points, "xy">, x: number, y: number, reach: number): number | null {
  let [found, least] = [-1, reach * reach];
  for (let i = 0; i < xy.length; i += 2) {
    const away = (xy[i]! - x) ** 2 + (xy[i + 1]! - y) ** 2;
    if (away <= least) [found, least] = [i / 2, away];
  }
  return found < 0 ? null : found;
}

/** The points that lie in a box of the raster, also where the slide is turned. */
export function pointsIn(
  { xy }: Pick<Points, "xy">,
  matrix: Matrix,
  box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
): Uint32Array<ArrayBuffer> {
  const { a, b, c, d, e, f } = matrix;
  const found: number[] = [];
  for (let i = 0; i < xy.length; i += 2) {
    const [x, y] = [xy[i]!, xy[i + 1]!];
    const [px, py] = [a * x + c * y + e, b * x + d * y + f];
    if (px >= box.left && px <= box.right && py >= box.top && py <= box.bottom) found.push(i / 2);
  }
  return Uint32Array.from(found);
}

/** 256 colours from RRGGBB. */
export function coloursOf(names: readonly string[]): Uint32Array {
  const colours = new Uint32Array(256);
  for (const [i, name] of names.slice(0, 256).entries()) {
    const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(name.slice(at, at + 2), 16)) as [
      number,
      number,
      number,
    ];
    colours[i] = ((0xff << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  }
  return colours;
}

/** Level-0 position and reach of a pointer. */
export const pointerOn = (matrix: Matrix, x: number, y: number, pixels: number): [number, number, number] => [
  ...onSlide(matrix, x, y),
  pixels / scaleOf(matrix),
];
