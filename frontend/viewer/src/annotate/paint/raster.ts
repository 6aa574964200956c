/**
 * Draws chunks into pixels without a graphics card: the same lines and dots as the shaders of webglPainter.ts. A stroke is measured as they measure it
 * (distance to the segment), so that both give one picture. Pure.
 */
import { type Matrix, onCanvas, scaleOf, visibleBox } from "./matrix";
import { LINE_WIDTH, MARK_SIZE, dotSizeOf } from "./painter";
import { type Chunk, type Strokes, detailFor, touches } from "./scene";

/** 0xAABBGGRR, as ImageData holds them: not premultiplied. Rows from the top. */
export interface Bitmap {
  readonly words: Uint32Array;
  readonly width: number;
  readonly height: number;
}

const STEP = 2000; // vertices between two yields: about half a millisecond
const CORE_SIZE = 6; // device pixels; larger dots have a bright core

/** Draws all chunks that the bitmap shows over what it holds; yields nothing but time. `matrix`: level-0 pixels to the bitmap's; `ratio`: its pixels per CSS pixel. */
export function* paintChunks(bitmap: Bitmap, chunks: readonly Chunk[], matrix: Matrix, ratio: number): Generator<void> {
  const view = visibleBox(matrix, bitmap.width, bitmap.height, MARK_SIZE * ratio);
  const scale = scaleOf(matrix);
  const seen = chunks.filter(({ box }) => touches(box, view));
  for (const chunk of seen) {
    const detail = detailFor(chunk.extent, scale);
    if (detail !== "dots")
      yield* paintLines(bitmap, chunk[detail], translatedTo(matrix, chunk.origin), LINE_WIDTH * ratio);
  }
  for (const chunk of seen) {
    if (detailFor(chunk.extent, scale) === "dots")
      yield* paintDots(bitmap, chunk.dots, translatedTo(matrix, chunk.origin), dotSizeOf(chunk.extent, scale) * ratio);
  }
}

/** The matrix for coordinates relative to an origin. */
function translatedTo(matrix: Matrix, [x, y]: readonly [number, number]): Matrix {
  const [e, f] = onCanvas(matrix, x, y);
  return { ...matrix, e, f };
}

function* paintLines(bitmap: Bitmap, { words, count }: Strokes, matrix: Matrix, width: number): Generator<void> {
  const colors = new Uint32Array(words.buffer);
  const { a, b, c, d, e, f } = matrix;
  let color = 0; // of the segment that leads to the next vertex
  let [fromX, fromY] = [0, 0];
  for (let i = 0; i < count; i += 1) {
    const [x, y] = [words[3 * i]!, words[3 * i + 1]!];
    const [toX, toY] = [a * x + c * y + e, b * x + d * y + f];
    if (color !== 0) paintSegment(bitmap, [fromX, fromY, toX, toY], width, color);
    color = colors[3 * i + 2]!;
    fromX = toX;
    fromY = toY;
    if (i % STEP === STEP - 1) yield;
  }
}

/** A line with round ends, row by row: in each only the span that it can touch. */
export function paintSegment(
  { words, width, height }: Bitmap,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  lineWidth: number,
  color: number,
): void {
  const reach = lineWidth / 2 + 0.5; // beyond it a pixel's middle is not covered
  const top = Math.max(0, Math.ceil(Math.min(y0, y1) - reach - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(y0, y1) + reach - 0.5));
  const left = Math.max(0, Math.ceil(Math.min(x0, x1) - reach - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(x0, x1) + reach - 0.5));
  if (top > bottom || left > right) return;
  const far = Math.hypot(x1 - x0, y1 - y0);
  const [ux, uy] = far > 1e-6 ? [(x1 - x0) / far, (y1 - y0) / far] : [1, 0];
  const [middleX, middleY] = [(x0 + x1) / 2 - 0.5, (y0 + y1) / 2 - 0.5]; // of pixels' middles
  const spread = Math.abs(uy) > 1e-3 ? reach / Math.abs(uy) : Infinity;
  for (let y = top; y <= bottom; y += 1) {
    const down = y - middleY;
    const centre = spread < Infinity ? middleX + (down * ux) / uy : 0;
    const begin = spread < Infinity ? Math.max(left, Math.ceil(centre - spread)) : left;
    const end = spread < Infinity ? Math.min(right, Math.floor(centre + spread)) : right;
    for (let x = begin; x <= end; x += 1) {
      const across = x - middleX;
      const side = across * uy - down * ux;
      const beyond = Math.max(Math.abs(across * ux + down * uy) - far / 2, 0);
      const cover = reach - (beyond > 0 ? Math.sqrt(beyond * beyond + side * side) : Math.abs(side));
      if (cover > 0) blend(words, y * width + x, color, cover);
    }
  }
}

/** Small: filled. Large: a ring round a bright core. */
function* paintDots(
  bitmap: Bitmap,
  { words, count }: Strokes,
  { a, b, c, d, e, f }: Matrix,
  size: number,
): Generator<void> {
  const colors = new Uint32Array(words.buffer);
  for (let i = 0; i < count; i += 1) {
    const [x, y] = [words[3 * i]!, words[3 * i + 1]!];
    if (colors[3 * i + 2] !== 0)
      paintDot(bitmap, a * x + c * y + e - 0.5, b * x + d * y + f - 0.5, size, colors[3 * i + 2]!);
    if (i % STEP === STEP - 1) yield;
  }
}

function paintDot(
  { words, width, height }: Bitmap,
  middleX: number,
  middleY: number,
  size: number,
  color: number,
): void {
  const edge = size / 2;
  for (let y = Math.max(0, Math.ceil(middleY - edge)); y <= Math.min(height - 1, Math.floor(middleY + edge)); y += 1) {
    for (let x = Math.max(0, Math.ceil(middleX - edge)); x <= Math.min(width - 1, Math.floor(middleX + edge)); x += 1) {
      const far = Math.sqrt((x - middleX) ** 2 + (y - middleY) ** 2);
      if (far < edge) blend(words, y * width + x, size > CORE_SIZE && far < edge / 2 ? 0xffffffff : color, edge - far);
    }
  }
}

/** Lays a colour over a pixel of which it covers a part. */
export function blend(words: Uint32Array, at: number, color: number, cover: number): void {
  const below = words[at]!;
  const alpha = cover >= 1 ? color >>> 24 : Math.round((color >>> 24) * cover);
  if (alpha === 255 || below >>> 24 === 0) words[at] = (color & 0xffffff) | (alpha << 24);
  else if (((below ^ color) & 0xffffff) === 0) words[at] = (color & 0xffffff) | (sameColor(color, alpha, below) << 24);
  else words[at] = mixed(color, alpha, below);
}

/** The alpha where lines of one colour overlap: translucent ones are not darker there (AN53). */
const sameColor = (color: number, alpha: number, below: number): number =>
  Math.min(together(alpha, below >>> 24), Math.max(color >>> 24, below >>> 24));

/** The alpha of two layers, each 0 to 255. */
const together = (over: number, under: number): number => Math.round(over + under * (1 - over / 255));

function mixed(color: number, alpha: number, below: number): number {
  const all = together(alpha, below >>> 24);
  const part = alpha / all;
  const blue = ((color >>> 16) & 255) * part + ((below >>> 16) & 255) * (1 - part);
  const green = ((color >>> 8) & 255) * part + ((below >>> 8) & 255) * (1 - part);
  const red = (color & 255) * part + (below & 255) * (1 - part);
  return (all << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red);
}
