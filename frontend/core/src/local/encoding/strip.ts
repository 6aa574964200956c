/** Encoding a strip of a unit: the work of a worker; the twin of backend/src/wavescope/ingest/strip.py. */
import type { Samples } from "../../codec/kernel";
import { Pyramid, type Size, TILE } from "../../geometry/pyramid";
import { type Codec, CHANNELS, type Pixels } from "./codec";
import { type Encoder, HALF, type Layers, NO_LAYERS, PLANE } from "./encoder";
import { putQuadrant } from "./trials";

/** Means of the tiles of a strip, [channel][height][width], for the tiles above. */
export interface Means extends Size {
  readonly data: Int16Array;
}

export interface StripTask {
  readonly size: Size;
  readonly codec: Codec;
  readonly level: number;
  /** Of the first tile. */
  readonly column: number;
  readonly row: number;
  /** Level-0 pixels, or the means of the tiles below: from top to bottom those from left to right. */
  readonly input: Pixels | readonly (readonly Means[])[];
}

export interface Strip {
  /** Of each tile, row by row; without sizes: empty. */
  readonly blocks: readonly Layers[];
  readonly means: Means;
}

export function encodeStrip(encoder: Encoder, { size, codec, level, column, row, input }: StripTask): Strip {
  const pyramid = new Pyramid(size.width, size.height);
  const tiles =
    "data" in input
      ? tilesOf(encoder, input, codec, pyramid.top)
      : tilesIn(encoder, joined(input), pyramid.top - level);
  if (level === pyramid.top) {
    const shown = pyramid.tileSize(level, 0, 0);
    return { blocks: [encoder.encodeApproximation([...tiles][0]!, codec, level, shown)], means: NO_MEANS };
  }
  const area = "data" in input ? input : areaOf(input);
  const [columns, rows] = [Math.ceil(area.width / TILE), Math.ceil(area.height / TILE)];
  const means = {
    width: HALF * columns,
    height: HALF * rows,
    data: new Int16Array(CHANNELS * HALF * HALF * columns * rows),
  };
  const made: Samples[] = [];
  for (const tile of tiles) {
    const [x, y] = [made.length % columns, Math.floor(made.length / columns)];
    putQuadrant(encoder.means(tile), means.data, means.width, HALF * x, HALF * y);
    made.push(tile);
  }
  const parents = [...tilesIn(encoder, means, pyramid.top - level - 1)];
  const across = Math.ceil(columns / 2);
  const blocks = made.map((tile, at) => {
    const [x, y] = [at % columns, Math.floor(at / columns)];
    const place = { level, x: column + x, y: row + y };
    const parent = parents[(y >> 1) * across + (x >> 1)]!;
    if (isFlat(tile) && isFlatAround(parent, place.x & 1, place.y & 1)) return NO_LAYERS;
    return encoder.encodeTile(tile, parent, codec, place, pyramid.tileSize(level, place.x, place.y));
  });
  return { blocks, means };
}

const NO_MEANS: Means = { width: 0, height: 0, data: new Int16Array(0) };

/** Samples of the tiles of a picture, row by row. A tile of one colour is made once. */
function* tilesOf(encoder: Encoder, picture: Pixels, codec: Codec, above: number): Generator<Samples> {
  const flat = new Map<number, Samples>();
  for (let y = 0; y < picture.height; y += TILE)
    for (let x = 0; x < picture.width; x += TILE) {
      const window = { x, y, width: Math.min(TILE, picture.width - x), height: Math.min(TILE, picture.height - y) };
      const colour = colourOf(picture, window);
      const samples = (colour !== null && flat.get(colour)) || encoder.samples(picture, window, codec, above);
      if (colour !== null) flat.set(colour, samples);
      yield samples;
    }
}

/** The colour of all pixels of a part; null if there are several. */
function colourOf({ width, data }: Pixels, window: Size & { readonly x: number; readonly y: number }): number | null {
  const first = CHANNELS * (window.y * width + window.x);
  const [r, g, b] = [data[first]!, data[first + 1]!, data[first + 2]!];
  for (let y = 0; y < window.height; y += 1) {
    const start = first + CHANNELS * width * y;
    for (let at = start; at < start + CHANNELS * window.width; at += CHANNELS)
      if (data[at] !== r || data[at + 1] !== g || data[at + 2] !== b) return null;
  }
  return (r << 16) | (g << 8) | b;
}

function areaOf(grid: readonly (readonly Means[])[]): Size {
  return {
    width: grid[0]!.reduce((sum, one) => sum + one.width, 0),
    height: grid.reduce((sum, [one]) => sum + one!.height, 0),
  };
}

/** Several parts as one. */
function joined(grid: readonly (readonly Means[])[]): Means {
  const { width, height } = areaOf(grid);
  const data = new Int16Array(CHANNELS * width * height);
  for (let c = 0; c < CHANNELS; c += 1) {
    let top = 0;
    for (const line of grid) {
      let left = 0;
      for (const one of line) {
        for (let y = 0; y < one.height; y += 1) {
          const from = (c * one.height + y) * one.width;
          data.set(one.data.subarray(from, from + one.width), (c * height + top + y) * width + left);
        }
        left += one.width;
      }
      top += line[0]!.height;
    }
  }
  return { width, height, data };
}

/** The tiles of such a plane, row by row, continued where it does not cover them; `above` them are so many levels. */
function* tilesIn(encoder: Encoder, { width, height, data }: Means, above: number): Generator<Samples> {
  for (let top = 0; top < height; top += TILE)
    for (let left = 0; left < width; left += TILE) {
      const tile = new Int16Array(CHANNELS * PLANE);
      const [columns, rows] = [Math.min(TILE, width - left), Math.min(TILE, height - top)];
      for (let c = 0; c < CHANNELS; c += 1)
        for (let y = 0; y < rows; y += 1) {
          const from = (c * height + top + y) * width + left;
          tile.set(data.subarray(from, from + columns), c * PLANE + y * TILE);
        }
      yield encoder.extend(tile, columns, rows, above);
    }
}

/** Means of its siblings that a tile's prediction looks at. */
const REACH = 2;

const isFlat = (tile: Samples): boolean => isFlatWithin(tile, 0, 0, TILE, TILE);

/** Of a quadrant of a tile and what its prediction looks at. */
function isFlatAround(parent: Samples, qx: number, qy: number): boolean {
  const span = (q: number): readonly [number, number] => (q ? [HALF - REACH, TILE] : [0, HALF + REACH]);
  const [[left, right], [top, bottom]] = [span(qx), span(qy)];
  return isFlatWithin(parent, left, top, right, bottom);
}

function isFlatWithin(tile: Samples, left: number, top: number, right: number, bottom: number): boolean {
  for (let c = 0; c < CHANNELS; c += 1) {
    const value = tile[c * PLANE + top * TILE + left];
    for (let y = top; y < bottom; y += 1)
      for (let at = c * PLANE + y * TILE + left, end = at + right - left; at < end; at += 1)
        if (tile[at] !== value) return false;
  }
  return true;
}
