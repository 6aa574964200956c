/**
 * Annotations as buffers to draw from: chunks of objects of one size that lie near each other, each in three degrees of detail. Which
 * degree a chunk needs depends on its objects' size on the screen; chunks out of view cost nothing. Built piece by piece, so that no
 * frame waits for a hundred thousand objects.
 *
 * A vertex is 12 bytes: x, y as floats relative to the chunk's origin, and a colour; a line of n vertices is drawn as n - 1 segments,
 * each with its first vertex's colour, and a colour without alpha is a gap.
 */
import { outlinesOf } from "@wavescope/core/geometry/outline";
import { type Box, type Part, type Shape, boxOf } from "@wavescope/core/geometry/shape";

export interface Drawable {
  readonly id: string;
  readonly shape: Shape;
  /** 0xAABBGGRR, as it lies in memory. */
  readonly color: number;
}

/** Vertices, 3 words each: x, y (float), colour (unsigned). */
export interface Strokes {
  readonly words: Float32Array;
  readonly count: number;
}

export interface Chunk {
  /** Whether its colours let through what lies below; all of a chunk do, or none. */
  readonly isTranslucent: boolean;
  readonly box: Box;
  readonly origin: readonly [number, number];
  /** The longest side of its largest object, in level-0 pixels; 0 for points. */
  readonly extent: number;
  readonly full: Strokes;
  readonly coarse: Strokes;
  /** One vertex an object, or one a point. */
  readonly dots: Strokes;
  /** Where each object lies: first vertex and count, in full, coarse and dots. */
  readonly spans: ReadonlyMap<string, readonly [number, number, number, number, number, number]>;
}

const CHUNK_VERTICES = 12_000;
const COARSE_CORNERS = 8;

interface Sized {
  readonly drawable: Drawable;
  readonly box: Box;
  /** The octave of the size (above them those of what is translucent), then the position along a curve that keeps neighbours together. */
  readonly order: number;
}

/** Yields nothing but time: between two steps other work may run. Returns the chunks. */
export function* buildChunks(drawables: Iterable<Drawable>): Generator<void, Chunk[]> {
  const sized: Sized[] = [];
  for (const drawable of drawables) {
    sized.push(sizedOf(drawable));
    if (sized.length % 2000 === 0) yield;
  }
  sized.sort((a, b) => a.order - b.order);
  yield;
  const chunks: Chunk[] = [];
  for (let start = 0; start < sized.length; ) {
    let vertices = 0;
    let end = start;
    const octave = Math.floor(sized[start]!.order);
    while (end < sized.length && vertices < CHUNK_VERTICES && Math.floor(sized[end]!.order) === octave)
      vertices += verticesOf(sized[end++]!.drawable.shape);
    chunks.push(chunkOf(sized.slice(start, end)));
    start = end;
    yield;
  }
  return chunks;
}

function sizedOf(drawable: Drawable): Sized {
  const box = boxOf(drawable.shape);
  const extent = extentOf(drawable.shape, box);
  const octave = extent === 0 ? 0 : 1 + Math.min(30, Math.ceil(Math.log2(Math.max(1, extent))));
  return {
    drawable,
    box,
    order: (isTranslucent(drawable) ? 32 : 0) + octave + morton((box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2),
  };
}

const isTranslucent = ({ color }: Drawable): boolean => color >>> 24 < 255;
const isMark = (shape: Shape): boolean => shape.kind === "point" || shape.kind === "text";
const extentOf = (shape: Shape, box: Box): number =>
  isMark(shape) ? 0 : Math.max(box.maxX - box.minX, box.maxY - box.minY, 1e-3);
const verticesOf = (shape: Shape): number => shape.parts.reduce((sum, part) => sum + part.length / 2, 0) + 1;

/** A position on a curve of 0..1 on which neighbours are neighbours: the bits of x and y, interleaved; squares of 128 pixels. */
function morton(x: number, y: number): number {
  const [column, row] = [Math.min(65535, Math.max(0, x / 128)), Math.min(65535, Math.max(0, y / 128))];
  return (spread(column) + 2 * spread(row)) / 2 ** 32;
}

function spread(value: number): number {
  let bits = value & 0xffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

function chunkOf(sized: readonly Sized[]): Chunk {
  const box = sized.reduce((all, { box: next }) => united(all, next), sized[0]!.box);
  const origin: [number, number] = [(box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2];
  const [full, coarse, dots] = [new Pen(origin), new Pen(origin), new Pen(origin)];
  const spans = new Map<string, readonly [number, number, number, number, number, number]>();
  let extent = 0;
  for (const { drawable, box: own } of sized) {
    const { shape, color } = drawable;
    const starts = [full.count, coarse.count, dots.count];
    for (const part of outlinesOf(shape)) {
      full.stroke(part, color);
      coarse.stroke(thinned(part), color);
    }
    if (isMark(shape))
      for (const part of shape.parts) for (let i = 0; i < part.length; i += 2) dots.dot(part[i]!, part[i + 1]!, color);
    else dots.dot((own.minX + own.maxX) / 2, (own.minY + own.maxY) / 2, color);
    spans.set(drawable.id, [
      starts[0]!,
      full.count - starts[0]!,
      starts[1]!,
      coarse.count - starts[1]!,
      starts[2]!,
      dots.count - starts[2]!,
    ]);
    extent = Math.max(extent, extentOf(shape, own));
  }
  return {
    isTranslucent: isTranslucent(sized[0]!.drawable),
    box,
    origin,
    extent,
    full: full.strokes(),
    coarse: coarse.strokes(),
    dots: dots.strokes(),
    spans,
  };
}

/** The same line with at most COARSE_CORNERS steps. */
function thinned(part: Part): Part {
  const count = part.length / 2;
  const step = Math.ceil((count - 1) / COARSE_CORNERS);
  if (step <= 1) return part;
  const points: number[] = [];
  for (let i = 0; i < count - 1; i += step) points.push(part[2 * i]!, part[2 * i + 1]!);
  points.push(part[2 * count - 2]!, part[2 * count - 1]!);
  return points;
}

/** Writes vertices into a buffer that grows. */
class Pen {
  count = 0;
  private words = new Float32Array(3 * 256);
  private colors = new Uint32Array(this.words.buffer);

  constructor(private readonly origin: readonly [number, number]) {}

  stroke(part: Part, color: number): void {
    for (let i = 0; i < part.length; i += 2) this.dot(part[i]!, part[i + 1]!, i + 2 < part.length ? color : 0);
  }

  dot(x: number, y: number, color: number): void {
    if (3 * this.count === this.words.length) this.grow();
    const at = 3 * this.count++;
    this.words[at] = x - this.origin[0];
    this.words[at + 1] = y - this.origin[1];
    this.colors[at + 2] = color;
  }

  strokes(): Strokes {
    return { words: this.words.slice(0, 3 * this.count), count: this.count };
  }

  private grow(): void {
    const larger = new Uint32Array(2 * this.colors.length);
    larger.set(this.colors);
    this.colors = larger;
    this.words = new Float32Array(larger.buffer);
  }
}

export function united(a: Box, b: Box): Box {
  return {
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  };
}

export function touches(a: Box, b: Box): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}

export type Detail = "full" | "coarse" | "dots";

/** How much of a chunk is worth drawing at so many device pixels per level-0 pixel. */
export function detailFor(extent: number, scale: number): Detail {
  const size = extent * scale;
  return extent === 0 || size < 4 ? "dots" : size < 28 ? "coarse" : "full";
}
