/** One tile of an overlay: outlines, symbols, counts (overlays.md, OV11 to OV17). Lengths of corners are quarters of a level-0 pixel, from the tile's beginning. */
import { CorruptError } from "../wire/http/errors";
import { Columns, decompressed } from "./columns";

/** Pixels of the tile's own level along its side. */
export const OVERLAY_TILE = 512;
export const SYMBOLS_LEVEL = 2;
export const COUNTS_FROM = 3;
/** Squares of counts along the side of a tile. */
export const BINS = 32;
export const QUARTERS = 4;
/** Directions of a symbol in half a turn. */
export const TURNS = 16;

/** Shapes, rings or corners of a tile, at most (OV21). */
const MAX_PARTS = 4 << 20;
const MAX_CORNERS = 100_000;
/** In quarters of a pixel, from the slide's beginning. */
const MAX_COORDINATE = 2 ** 28;
const MAX_STEP = 2 ** 31;
const UNIT = 2 ** 14;

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
  const outlines = readOutlines(columns, place, scored);
  const symbols = place.level === SYMBOLS_LEVEL ? readSymbols(columns, place, scored) : null;
  const counts = place.level >= COUNTS_FROM ? readCounts(columns, scored) : null;
  columns.end();
  return { outlines, symbols, counts };
}

function readOutlines(columns: Columns, { level, x, y }: TilePlace, scored: boolean): Outlines {
  const count = bounded(columns.number());
  const [stepsX, stepsY] = [columns.signed(count), columns.signed(count)];
  const classes = columns.bytes(count);
  const scores = scored ? columns.bytes(count) : new Uint8Array(count);
  const shapeEnds = ends(columns.column(count));
  const rings = bounded(shapeEnds[count - 1] ?? 0);
  const sizes = columns.column(rings);
  if (sizes.some((less) => less >= MAX_CORNERS)) throw new CorruptError("a ring of too many corners");
  const ringEnds = ends(sizes);
  const total = bounded(ringEnds[rings - 1] ?? 0);
  const [betweenX, betweenY] = [columns.signed(rings - count), columns.signed(rings - count)];
  const [dx, dy] = [columns.signed(total - rings), columns.signed(total - rings)];
  const corners = new Int32Array(2 * total);
  const side = QUARTERS * sideOf(level);
  const ring = new RingWriter(corners, dx, dy, [x * side, y * side]);
  let [firstX, firstY] = [0, 0];
  let number = 0; // of the ring
  let more = 0; // rings beyond the first of their shapes
  for (let shape = 0; shape < count; shape += 1) {
    firstX += stepsX[shape]!;
    firstY += stepsY[shape]!;
    let [beginX, beginY] = [firstX, firstY];
    for (const first = number; number < shapeEnds[shape]!; number += 1) {
      if (number > first) {
        beginX += betweenX[more]!;
        beginY += betweenY[more]!;
        more += 1;
      }
      ring.write(beginX, beginY, ringEnds[number]!);
    }
  }
  return { corners, ringEnds, shapeEnds, classes, scores };
}

/** Follows the steps of rings, one ring after the other (OV14). */
class RingWriter {
  private corner = 0;
  private residual = 0;

  constructor(
    private readonly corners: Int32Array,
    private readonly dx: Int32Array,
    private readonly dy: Int32Array,
    private readonly begin: readonly [number, number],
  ) {}

  write(firstX: number, firstY: number, end: number): void {
    const { cos, sin } = turning(end - this.corner);
    let [x, y] = [firstX, firstY];
    let [a, b] = [0, 0];
    this.put(x, y);
    while (this.corner < end) {
      const nextA = Math.floor((cos * a - sin * b + UNIT / 2) / UNIT) + this.dx[this.residual]!;
      b = Math.floor((sin * a + cos * b + UNIT / 2) / UNIT) + this.dy[this.residual]!;
      a = nextA;
      if (Math.abs(a) >= MAX_STEP || Math.abs(b) >= MAX_STEP) throw new CorruptError("a step that is too long");
      this.residual += 1;
      x += a;
      y += b;
      this.put(x, y);
    }
  }

  private put(x: number, y: number): void {
    if (Math.abs(x + this.begin[0]) > MAX_COORDINATE || Math.abs(y + this.begin[1]) > MAX_COORDINATE)
      throw new CorruptError("a corner that is too far away");
    this.corners[2 * this.corner] = x;
    this.corners[2 * this.corner + 1] = y;
    this.corner += 1;
  }
}

const turns = new Map<number, { readonly cos: number; readonly sin: number }>();

/** C and S of OV14 for a ring of so many corners. */
export function turning(corners: number): { readonly cos: number; readonly sin: number } {
  const known = turns.get(corners);
  if (known) return known;
  const angle = (2 * Math.PI) / corners;
  const made = {
    cos: Math.floor(UNIT * Math.cos(angle) + 0.5),
    sin: Math.floor(UNIT * Math.sin(angle) + 0.5),
  };
  turns.set(corners, made);
  return made;
}

function readSymbols(columns: Columns, { level, x, y }: TilePlace, scored: boolean): Symbols {
  const count = bounded(columns.number());
  const [stepsX, stepsY] = [columns.signed(count), columns.signed(count)];
  const classes = columns.bytes(count);
  const scores = scored ? columns.bytes(count) : new Uint8Array(count);
  const [long, short] = [columns.column(count), columns.column(count)];
  const turns = columns.bytes(count);
  const middles = new Int32Array(2 * count);
  const most = MAX_COORDINATE / QUARTERS;
  const side = sideOf(level);
  let [atX, atY] = [0, 0];
  for (let i = 0; i < count; i += 1) {
    atX += stepsX[i]!;
    atY += stepsY[i]!;
    if (Math.abs(atX + x * side) > most || Math.abs(atY + y * side) > most)
      throw new CorruptError("a symbol that is too far away");
    if (turns[i]! >= TURNS || long[i]! < 1 || short[i]! < 1 || long[i]! > most || short[i]! > most)
      throw new CorruptError("a symbol without a size or direction");
    middles[2 * i] = atX;
    middles[2 * i + 1] = atY;
  }
  return { middles, long, short, turns, classes, scores };
}

function readCounts(columns: Columns, scored: boolean): ClassCounts[] {
  const count = bounded(columns.number());
  if (count > 256) throw new CorruptError("counts of too many classes");
  const classes = columns.bytes(count);
  if (classes.some((of, i) => i > 0 && of <= classes[i - 1]!))
    throw new CorruptError("classes of counts that are not in order");
  const squares = BINS * BINS;
  return Array.from(classes, (of) => {
    const shapes = columns.column(squares);
    const scores = new Float64Array(squares);
    if (scored) {
      const [low, high] = [columns.column(squares), columns.column(squares)];
      for (let i = 0; i < squares; i += 1) scores[i] = low[i]! + high[i]! * 2 ** 32;
    }
    return { of, shapes, scores };
  });
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
