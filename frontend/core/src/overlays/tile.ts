/** One tile of an overlay: outlines, symbols, counts (overlays.md, OV11 to OV17, OV55, OV79 to OV81). Lengths of corners are quarters of a level-0 pixel, from the tile's beginning. */
import { CorruptError } from "../wire/http/errors";
import { Columns, decompressed } from "./columns";
import { readPlaces } from "./places";
import { type Differences, MAX_COORDINATE, MAX_PREDICTION, RingWriter, hasEllipse, sharesOf } from "./rings";

/** Pixels of the tile's own level along its side. */
export const OVERLAY_TILE = 512;
export const SYMBOLS_LEVEL = 2;
export const COUNTS_FROM = 3;
/** Squares of counts along the side of a tile. */
export const BINS = 32;
export const QUARTERS = 4;
/** Directions of a symbol in half a turn. */
export const TURNS = 16;

/** Marks a tile of version 5 and later. */
const NEW = 2 ** 31;
/** Shapes, rings or corners of a tile, at most (OV21). */
const MAX_PARTS = 4 << 20;
const MAX_CORNERS = 100_000;

/** Where a tile is. */
export interface TilePlace {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** n shapes of r rings and c corners, in columns. */
export interface Outlines {
  /** x, y of each corner (2c). */
  readonly corners: Int32Array<ArrayBuffer>;
  /** The number of corners up to the end of each ring (r). */
  readonly ringEnds: Uint32Array<ArrayBuffer>;
  /** The number of rings up to the end of each shape (n). */
  readonly shapeEnds: Uint32Array<ArrayBuffer>;
  readonly classes: Uint8Array<ArrayBuffer>;
  /** Of zeros where the overlay has no scores. */
  readonly scores: Uint8Array<ArrayBuffer>;
}

/** n ellipses, in columns: middles in whole pixels from the tile's beginning (2n), half axes in halves of a pixel, turns in steps of pi / 16. */
export interface Symbols {
  readonly middles: Int32Array<ArrayBuffer>;
  readonly long: Uint32Array<ArrayBuffer>;
  readonly short: Uint32Array<ArrayBuffer>;
  readonly turns: Uint8Array<ArrayBuffer>;
  readonly classes: Uint8Array<ArrayBuffer>;
  readonly scores: Uint8Array<ArrayBuffer>;
}

/** Of one class, row by row: how many middles lie in each of 32 x 32 squares, and the sum of their scores. */
export interface ClassCounts {
  readonly of: number;
  readonly shapes: Uint32Array<ArrayBuffer>;
  readonly scores: Float64Array<ArrayBuffer>;
}

export interface OverlayTile {
  readonly outlines: Outlines;
  readonly symbols: Symbols | null;
  readonly counts: readonly ClassCounts[] | null;
}

/** The side of a tile in level-0 pixels. */
export const sideOf = (level: number): number => OVERLAY_TILE * 2 ** level;

/** The bytes that a tile takes in memory. */
export function bytesOf({ outlines, symbols, counts }: OverlayTile): number {
  const columns = [
    ...Object.values(outlines as unknown as Record<string, ArrayBufferView>),
    ...Object.values((symbols ?? {}) as Record<string, ArrayBufferView>),
    ...(counts ?? []).flatMap(({ shapes, scores }) => [shapes, scores]),
  ];
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** The tile of a gzip member; `scored`: whether its overlay has scores. Rejects with CorruptError. */
export async function decodeTile(
  member: Uint8Array<ArrayBuffer>,
  place: TilePlace,
  scored: boolean,
): Promise<OverlayTile> {
  const columns = new Columns(await decompressed(member));
  const number = columns.number();
  const isNew = number >= NEW;
  const outlines = readOutlines(columns, number % NEW, place, scored, isNew);
  const symbols = place.level === SYMBOLS_LEVEL ? readSymbols(columns, place, scored, isNew) : null;
  const counts = place.level >= COUNTS_FROM ? readCounts(columns, scored, isNew) : null;
  columns.end();
  return { outlines, symbols, counts };
}

/** `number`: how many, and the prediction. */
function readOutlines(columns: Columns, number: number, place: TilePlace, scored: boolean, isNew: boolean): Outlines {
  const [count, prediction] = [bounded(number % 2 ** 24), number >>> 24];
  if (prediction > MAX_PREDICTION) throw new CorruptError(`a tile of prediction ${prediction}`);
  const side = QUARTERS * sideOf(place.level);
  const origin = [place.x * side, place.y * side] as const;
  const firsts = readPlaces(columns, count, isNew, origin, MAX_COORDINATE);
  const classes = columns.bytes(count);
  const scores = scored ? columns.bytes(count) : new Uint8Array(count);
  const shapeEnds = ends(columns.column(count));
  const rings = bounded(shapeEnds[count - 1] ?? 0);
  const sizes = columns.column(rings);
  if (sizes.some((less) => less >= MAX_CORNERS)) throw new CorruptError("a ring of too many corners");
  const ringEnds = ends(sizes);
  const total = bounded(ringEnds[rings - 1] ?? 0);
  const [betweenX, betweenY] = [columns.signed(rings - count), columns.signed(rings - count)];
  const differences = readDifferences(columns, prediction, ringEnds);
  const corners = new Int32Array(2 * total);
  const writer = new RingWriter(corners, differences, origin);
  let ring = 0;
  let more = 0; // rings beyond the first of their shapes
  for (let shape = 0; shape < count; shape += 1) {
    let [beginX, beginY] = [firsts[2 * shape]!, firsts[2 * shape + 1]!];
    for (const first = ring; ring < shapeEnds[shape]!; ring += 1) {
      if (ring > first) {
        beginX += betweenX[more]!;
        beginY += betweenY[more]!;
        more += 1;
      }
      writer.write(beginX, beginY, ringEnds[ring]!);
    }
  }
  return { corners, ringEnds, shapeEnds, classes, scores };
}

/** The columns of differences, which end a section of outlines. */
function readDifferences(columns: Columns, prediction: number, ringEnds: Uint32Array): Differences {
  const total = ringEnds.at(-1) ?? 0;
  if (prediction === 0) {
    const steps = total - ringEnds.length;
    return { dx: columns.signed(steps), dy: columns.signed(steps), ellipses: null };
  }
  let own = 0;
  for (let i = 0; i < ringEnds.length; i += 1) if (hasEllipse(ringEnds[i]! - (ringEnds[i - 1] ?? 0))) own += 1;
  const [a, b, bAndC, dLessA] = [columns.signed(own), columns.signed(own), columns.signed(own), columns.signed(own)];
  const ellipses = { a, b, bAndC, dLessA, shares: sharesOf(prediction) };
  return { dx: columns.signed(total), dy: columns.signed(total), ellipses };
}

function readSymbols(columns: Columns, { level, x, y }: TilePlace, scored: boolean, isNew: boolean): Symbols {
  const count = bounded(columns.number());
  const most = MAX_COORDINATE / QUARTERS;
  const side = sideOf(level);
  const middles = readPlaces(columns, count, isNew, [x * side, y * side], most);
  const classes = columns.bytes(count);
  const scores = scored ? columns.bytes(count) : new Uint8Array(count);
  const [long, short] = [columns.column(count), columns.column(count)];
  const turns = columns.bytes(count);
  for (let i = 0; i < count; i += 1)
    if (turns[i]! >= TURNS || long[i]! < 1 || short[i]! < 1 || long[i]! > most || short[i]! > most)
      throw new CorruptError("a symbol without a size or direction");
  return { middles, long, short, turns, classes, scores };
}

function readCounts(columns: Columns, scored: boolean, isNew: boolean): ClassCounts[] {
  const count = bounded(columns.number());
  if (count > 256) throw new CorruptError("counts of too many classes");
  const classes = columns.bytes(count);
  if (classes.some((of, i) => i > 0 && of <= classes[i - 1]!))
    throw new CorruptError("classes of counts that are not in order");
  const squares = BINS * BINS;
  const counts = Array.from(classes, (of) => ({
    of,
    shapes: columns.column(squares),
    scores: scored && !isNew ? readLong(columns, squares) : new Float64Array(squares),
  }));
  if (scored && isNew) {
    const means = columns.bytes(count);
    counts.forEach(({ shapes, scores }, i) => readSums(columns, shapes, scores, means[i]!));
  }
  return counts;
}

/** Sums of scores, from their differences to those of the mean score, of squares with shapes alone. */
function readSums(columns: Columns, shapes: Uint32Array, scores: Float64Array, mean: number): void {
  const there = shapes.reduce((sum, number) => sum + Number(number > 0), 0);
  const doubled = readLong(columns, there);
  let next = 0;
  for (let i = 0; i < shapes.length; i += 1) {
    if (shapes[i] === 0) continue;
    const value = doubled[next]!;
    next += 1;
    scores[i] = mean * shapes[i]! + (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    if (scores[i]! < 0 || scores[i]! > 255 * shapes[i]!)
      throw new CorruptError("a sum of scores that is out of its range");
  }
}

/** Numbers below 2^53 of two columns. Throws CorruptError for larger ones. */
function readLong(columns: Columns, count: number): Float64Array<ArrayBuffer> {
  const [low, high] = [columns.column(count), columns.column(count)];
  if (high.some((value) => value >= 2 ** 21)) throw new CorruptError("a sum of scores that is out of its range");
  return Float64Array.from(low, (value, i) => value + high[i]! * 2 ** 32);
}

/** From sizes less 1 to ends. Throws CorruptError where they are more than a tile may have. */
function ends(less: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  let sum = 0;
  for (let i = 0; i < less.length; i += 1) {
    sum = bounded(sum + less[i]! + 1);
    less[i] = sum;
  }
  return less;
}

function bounded(count: number): number {
  if (count > MAX_PARTS) throw new CorruptError(`a tile of ${count} shapes, rings or corners`);
  return count;
}
