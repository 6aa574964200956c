/** The pieces of a slide from which its encode parameters are chosen (ST57); the twin of ingest/quality/sampling.py. */
import { Pyramid, type Size, TILE } from "../../geometry/pyramid";
import type { Pixels } from "./codec";

/** Level-0 pixels of a region. */
export type Read = (x: number, y: number, width: number, height: number) => Promise<Pixels>;

const GRID = 5;
const SIDE = 256;
const MIN_ACTIVITY = 0.3;

/** Up to 2 x 2 tiles with a common parent, as one picture, and which of them is meant. */
export interface Family {
  readonly image: Pixels;
  readonly quadrant: readonly [number, number];
}

/** Column and row of a level-0 tile. */
export type Tile = readonly [x: number, y: number];

export interface Sample {
  /** The whole grid as one picture. */
  readonly image: Pixels;
  readonly pieces: readonly Pixels[];
  /** All pieces are tissue: they are the tiles below. */
  readonly allTissue: boolean;
  /** On which the stored quality is measured. */
  readonly tiles: readonly Tile[];
  readonly families: readonly Family[];
  /** The longer side of the slide, in pixels. */
  readonly side: number;
}

/** `tiles`: on how many the stored quality is measured. */
export async function sampleOf(read: Read, size: Size, tiles: number): Promise<Sample> {
  const [width, height] = [Math.min(SIDE, size.width), Math.min(SIDE, size.height)];
  const [xs, ys] = [starts(size.width - width), starts(size.height - height)];
  const image = { width: GRID * width, height: GRID * height, data: new Uint8Array(3 * GRID * GRID * width * height) };
  const found = new Map<string, { piece: Pixels; x: number; y: number }>();
  const [columns, rows] = [apart(xs, width >> 1), apart(ys, height >> 1)];
  for (const [j, y] of ys.entries())
    for (const [i, x] of xs.entries()) {
      const piece = await read(x, y, width, height);
      paste(piece, image, i * width, j * height);
      if (columns.has(i) && rows.has(j)) found.set(`${x} ${y}`, { piece, x, y });
    }
  const places = [...found.values()];
  const pieces = places.map(({ piece }) => piece);
  const under = new Map<string, Tile>();
  for (const at of spreadTissue(pieces, tiles)) {
    const { x, y } = places[at]!;
    const tile: Tile = [Math.floor((x + (width >> 1)) / TILE), Math.floor((y + (height >> 1)) / TILE)];
    under.set(tile.join(" "), tile);
  }
  const measured = [...under.values()];
  const [families, side] = [await familiesOf(read, size, measured), Math.max(size.width, size.height)];
  return { image, pieces, allTissue: false, tiles: measured, families, side };
}

/** Whole tiles in place of the pieces: those on which the stored quality is measured (ST60). */
export async function ofWholeTiles(read: Read, size: Size, sample: Sample): Promise<Sample> {
  const pyramid = new Pyramid(size.width, size.height);
  const pieces: Pixels[] = [];
  for (const [x, y] of sample.tiles) {
    const { width, height } = pyramid.tileSize(0, x, y);
    pieces.push(await read(TILE * x, TILE * y, width, height));
  }
  return { ...sample, pieces, allTissue: true };
}

/** None if the tiles have no parents. */
async function familiesOf(read: Read, size: Size, tiles: readonly Tile[]): Promise<Family[]> {
  const families: Family[] = [];
  if (new Pyramid(size.width, size.height).top > 0)
    for (const [x, y] of tiles) {
      const [left, top] = [TILE * (x & ~1), TILE * (y & ~1)];
      const [w, h] = [Math.min(2 * TILE, size.width - left), Math.min(2 * TILE, size.height - top)];
      families.push({ image: await read(left, top, w, h), quadrant: [x & 1, y & 1] });
    }
  return families;
}

/** Numbers of up to `limit` pieces with tissue, spread evenly over them. */
export function tissue({ pieces, allTissue }: Sample, limit: number): number[] {
  return allTissue ? [...pieces.keys()].slice(0, limit) : spreadTissue(pieces, limit);
}

function spreadTissue(pieces: readonly Pixels[], limit: number): number[] {
  const activities = pieces.map(activity);
  const least = MIN_ACTIVITY * Math.max(...activities);
  const found = activities.flatMap((value, at) => (value >= least ? [at] : []));
  return spread(found, Math.min(limit, found.length));
}

export const spread = <T>(found: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, i) => found[Math.floor(((2 * i + 1) * found.length) / (2 * count))]!);

/** A part of a picture as one of its own. */
export function part({ width, data }: Pixels, x: number, y: number, w: number, h: number): Pixels {
  const out = { width: w, height: h, data: new Uint8Array(3 * w * h) };
  for (let row = 0; row < h; row += 1) {
    const start = 3 * ((y + row) * width + x);
    out.data.set(data.subarray(start, start + 3 * w), 3 * w * row);
  }
  return out;
}

function paste(piece: Pixels, into: Pixels, x: number, y: number): void {
  for (let row = 0; row < piece.height; row += 1)
    into.data.set(
      piece.data.subarray(3 * piece.width * row, 3 * piece.width * (row + 1)),
      3 * ((y + row) * into.width + x),
    );
}

/** Mean difference of neighbouring pixels, across. */
function activity({ width, height, data }: Pixels): number {
  if (width < 2) return 0;
  let sum = 0;
  for (let y = 0; y < height; y += 1)
    for (let at = 3 * width * y, end = at + 3 * (width - 1); at < end; at += 1)
      sum += Math.abs(data[at + 3]! - data[at]!);
  return sum / (3 * (width - 1) * height);
}

const starts = (limit: number): number[] =>
  Array.from({ length: GRID }, (_, i) => Math.floor((limit * (2 * i + 1)) / (2 * GRID)));

/** Numbers of the starts that lie at least so far behind the one before. */
function apart(values: readonly number[], minimum: number): Set<number> {
  const found = [0];
  for (const [at, value] of values.entries())
    if (value - values[found.at(-1)!]! >= Math.max(1, minimum)) found.push(at);
  return new Set(found);
}
