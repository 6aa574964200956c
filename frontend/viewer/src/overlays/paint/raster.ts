/** Draws an overlay into pixels without a graphics card: outlines with their inside, symbols, squares of counts. Pure. */
import type { Box } from "@wavescope/core/geometry/shape";
import { boxesOf } from "@wavescope/core/overlays/hits";
import { placeOf } from "@wavescope/core/overlays/plan";
import { colorOf, isShown } from "@wavescope/core/overlays/style";
import { type Outlines, type OverlayTile, QUARTERS, type Symbols, TURNS, sideOf } from "@wavescope/core/overlays/tile";
import { type Matrix, onCanvas, scaleOf, visibleBox } from "../../annotate/paint/matrix";
import { type Bitmap, blend, paintSegment } from "../../annotate/paint/raster";
import { LEAST_AXIS, STROKE, SYMBOL_ALPHA, type Scene } from "./painter";
import { eachSquare } from "./squares";

const withAlpha = (color: number, alpha: number): number => ((Math.round(255 * alpha) << 24) | color) >>> 0;

/** Draws a scene over what the bitmap holds. */
export function paintScene(bitmap: Bitmap, scene: Scene, tileAt: (key: string) => OverlayTile | undefined): void {
  for (const { key, part, window } of scene.drawn) {
    const tile = tileAt(key);
    if (!tile) continue;
    if (part === "counts")
      eachSquare(tile.counts ?? [], key, window, scene, (box, color) => paintSquare(bitmap, box, scene.matrix, color));
    else if (part === "symbols" && tile.symbols) paintSymbols(bitmap, tile.symbols, key, scene);
    else paintOutlines(bitmap, tile.outlines, key, scene);
  }
}

/** Where the corners of the shape at hand lie in the picture: one array for all shapes, for millions of small ones are slow and wait for the collector. */
let corner = new Float64Array(1024);

/** Places some corners of many in the picture, from corner `at` on. */
function place({ a, b, c, d, e, f }: Matrix, of: ArrayLike<number>, from: number, to: number, at: number): void {
  while (corner.length < 2 * (at + to - from)) corner = enlarged(corner);
  for (let i = from, next = 2 * at; i < to; i += 1, next += 2) {
    const [x, y] = [of[2 * i]!, of[2 * i + 1]!];
    corner[next] = a * x + c * y + e;
    corner[next + 1] = b * x + d * y + f;
  }
}

/** The matrix from numbers relative to a tile's beginning, so many to a pixel. */
function fromTile(matrix: Matrix, key: string, units: number): Matrix {
  const { level, x, y } = placeOf(key);
  const [e, f] = onCanvas(matrix, x * sideOf(level), y * sideOf(level));
  return { a: matrix.a / units, b: matrix.b / units, c: matrix.c / units, d: matrix.d / units, e, f };
}

function paintOutlines(bitmap: Bitmap, outlines: Outlines, key: string, { matrix, ratio, style }: Scene): void {
  const { corners, ringEnds, shapeEnds, classes, scores } = outlines;
  const own = fromTile(matrix, key, QUARTERS);
  const view = visibleBox(own, bitmap.width, bitmap.height, STROKE * ratio);
  const boxes = boxesOf(outlines);
  for (let shape = 0; shape < classes.length; shape += 1) {
    if (boxes[4 * shape]! > view.maxX || boxes[4 * shape + 1]! > view.maxY) continue;
    if (boxes[4 * shape + 2]! < view.minX || boxes[4 * shape + 3]! < view.minY) continue;
    if (!isShown(style, classes[shape]!, scores[shape]!)) continue;
    const color = colorOf(style, classes[shape]!, scores[shape]!);
    const ends = [0]; // of its rings, in corners
    for (let ring = shapeEnds[shape - 1] ?? 0; ring < shapeEnds[shape]!; ring += 1) {
      const [from, to, at] = [ringEnds[ring - 1] ?? 0, ringEnds[ring]!, ends.at(-1)!];
      place(own, corners, from, to, at);
      ends.push(at + to - from);
    }
    if (style.fill > 0) fill(bitmap, ends, withAlpha(color, style.fill));
    for (let i = 1; i < ends.length; i += 1)
      stroke(bitmap, ends[i - 1]!, ends[i]!, STROKE * ratio, withAlpha(color, 1));
  }
}

/** Squares lie apart and below all else. So one that is upright is written row by row, without a look at what is there. */
function paintSquare(bitmap: Bitmap, { minX, minY, maxX, maxY }: Box, matrix: Matrix, color: number): void {
  const { words, width, height } = bitmap;
  place(matrix, [minX, minY, maxX, minY, maxX, maxY, minX, maxY], 0, 4, 0);
  if (matrix.b !== 0 || matrix.c !== 0) return fill(bitmap, [0, 4], color);
  const pixel = (at: number, most: number): number => Math.min(most, Math.max(0, Math.ceil(at - 0.5)));
  const [left, right] = [corner[0]!, corner[2]!].map((x) => pixel(x, width)).sort((a, b) => a - b) as [number, number];
  for (let row = pixel(corner[1]!, height); row < pixel(corner[5]!, height); row += 1)
    words.fill(color, row * width + left, row * width + right);
}

/** A point is a dot twice as wide as a line. */
function stroke(bitmap: Bitmap, from: number, to: number, width: number, color: number): void {
  const [count, x, y] = [to - from, corner[2 * from]!, corner[2 * from + 1]!];
  if (count === 1) return paintSegment(bitmap, [x, y, x, y], 2 * width, color);
  for (let i = from, j = count > 2 ? to - 1 : from + 1; i < (count > 2 ? to : from + 1); j = i, i += 1)
    paintSegment(bitmap, [corner[2 * j]!, corner[2 * j + 1]!, corner[2 * i]!, corner[2 * i + 1]!], width, color);
}

/** Numbers that rows are apart in `crossings`. */
const ROW = 2 ** 20;
let crossings = new Float64Array(1024);

/** Fills what lies inside an odd number of rings, which end at these corners: the pixels whose middle does. */
function fill(bitmap: Bitmap, ends: readonly number[], color: number): void {
  const { words, width, height } = bitmap;
  let count = 0;
  for (let ring = 1; ring < ends.length; ring += 1) {
    const [begin, end] = [2 * ends[ring - 1]!, 2 * ends[ring]!];
    for (let i = begin, j = end - 2; i < end; j = i, i += 2) {
      let [x0, y0, x1, y1] = [corner[j]!, corner[j + 1]!, corner[i]!, corner[i + 1]!];
      if (y0 > y1) [x0, y0, x1, y1] = [x1, y1, x0, y0];
      const slope = (x1 - x0) / (y1 - y0);
      for (let row = Math.max(0, Math.ceil(y0 - 0.5)); row < Math.min(height, Math.ceil(y1 - 0.5)); row += 1) {
        const x = x0 + (row + 0.5 - y0) * slope;
        if (count === crossings.length) crossings = enlarged(crossings);
        crossings[count] = row * ROW + Math.min(width, Math.max(0, Math.ceil(x - 0.5)));
        count += 1;
      }
    }
  }
  const sorted = crossings.subarray(0, count).sort();
  for (let i = 0; i + 1 < count; i += 2) {
    const row = Math.floor(sorted[i]! / ROW);
    const start = row * width - row * ROW;
    for (let at = start + sorted[i]!; at < start + sorted[i + 1]!; at += 1) blend(words, at, color, 1);
  }
}

function enlarged(small: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const large = new Float64Array(2 * small.length);
  large.set(small);
  return large;
}

function paintSymbols(bitmap: Bitmap, symbols: Symbols, key: string, { matrix, style }: Scene): void {
  const { middles, long, short, turns, classes, scores } = symbols;
  const own = fromTile(matrix, key, 1);
  const scale = scaleOf(matrix);
  const half = scale / 2; // device pixels of half a pixel
  const along = Array.from({ length: TURNS }, (_, turn) => {
    const [cos, sin] = [Math.cos((turn * Math.PI) / TURNS), Math.sin((turn * Math.PI) / TURNS)];
    return [(own.a * cos + own.c * sin) / scale, (own.b * cos + own.d * sin) / scale] as const;
  });
  for (let i = 0; i < classes.length; i += 1) {
    const [middleX, middleY] = [middles[2 * i]!, middles[2 * i + 1]!];
    const x = own.a * middleX + own.c * middleY + own.e;
    const y = own.b * middleX + own.d * middleY + own.f;
    const far = Math.max(LEAST_AXIS, half * long[i]!, half * short[i]!) + 1;
    if (x < -far || y < -far || x > bitmap.width + far || y > bitmap.height + far) continue;
    if (!isShown(style, classes[i]!, scores[i]!)) continue;
    const axes = { long: Math.max(LEAST_AXIS, half * long[i]!), short: Math.max(LEAST_AXIS, half * short[i]!) };
    const color = withAlpha(colorOf(style, classes[i]!, scores[i]!), SYMBOL_ALPHA);
    paintEllipse(bitmap, [x, y], axes, along[turns[i]!]!, color);
  }
}

function paintEllipse(
  { words, width, height }: Bitmap,
  [x, y]: readonly [number, number],
  { long, short }: { readonly long: number; readonly short: number },
  [ux, uy]: readonly [number, number],
  color: number,
): void {
  const reachX = Math.hypot(long * ux, short * uy) + 0.5;
  const reachY = Math.hypot(long * uy, short * ux) + 0.5;
  const [top, bottom] = [Math.max(0, Math.ceil(y - reachY - 0.5)), Math.min(height - 1, Math.floor(y + reachY - 0.5))];
  const [left, right] = [Math.max(0, Math.ceil(x - reachX - 0.5)), Math.min(width - 1, Math.floor(x + reachX - 0.5))];
  for (let row = top; row <= bottom; row += 1)
    for (let column = left; column <= right; column += 1) {
      const dx = column + 0.5 - x;
      const dy = row + 0.5 - y;
      const along = (dx * ux + dy * uy) / long;
      const across = (dy * ux - dx * uy) / short;
      const cover = (1 - Math.sqrt(along * along + across * across)) * short + 0.5;
      if (cover > 0) blend(words, row * width + column, color, Math.min(1, cover));
    }
}
