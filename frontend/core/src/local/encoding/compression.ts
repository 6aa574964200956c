/** How the pixels of a file are compressed: what quality it deserves itself. The twin of backend/src/wavescope/source/compression.py. */
import { type Directory, MAX_TILES, TAG } from "../tiff/directories";
import { COMPRESSION } from "../tiff/layout";
import type { Pixels } from "./codec";
import { halfEven } from "./json";

/** 8 x 8 quantisation steps, rows of vertical frequency. */
type Table = Float64Array;

export interface Compression {
  readonly kind: "lossless" | "jpeg" | "lossy" | "unknown";
  /** Of luma and chroma; of JPEG alone. */
  readonly tables?: readonly [Table, Table];
  /** Chroma has half as many columns and rows. */
  readonly halved?: boolean;
}

export const LOSSLESS: Compression = { kind: "lossless" };
const LOSSY: Compression = { kind: "lossy" };
const UNKNOWN: Compression = { kind: "unknown" };

const TIFF_LOSSLESS: readonly number[] = [
  COMPRESSION.none,
  COMPRESSION.lzw,
  COMPRESSION.deflate,
  COMPRESSION.oldDeflate,
];
const TILE_HEAD = 1 << 14;
const [SIDE, BLOCK] = [8, 64];
const [TABLES, FRAMES, SCAN, START] = [0xdb, [0xc0, 0xc1, 0xc2], 0xda, 0xd8];
const ZIGZAG = Array.from({ length: BLOCK }, (_, at) => at).sort((one, other) => orderOf(one) - orderOf(other));
/** What an error of 1 in Y, Cb, Cr adds to the mean squared error of R, G and B. */
const WEIGHTS = [1, (0.344136 ** 2 + 1.772 ** 2) / 3, (1.402 ** 2 + 0.714136 ** 2) / 3];

function orderOf(at: number): number {
  const [row, column] = [at >> 3, at & 7];
  const diagonal = row + column;
  return SIDE * diagonal + (diagonal % 2 ? row : column);
}

/** Of the largest picture of a TIFF; "unknown" where it does not say. */
export async function compressionOf(directories: readonly Directory[]): Promise<Compression> {
  let [largest, area] = [directories[0]!, 0];
  for (const directory of directories) {
    const pixels = (await directory.integer(TAG.width, 0)) * (await directory.integer(TAG.height, 0));
    if (pixels > area) [largest, area] = [directory, pixels];
  }
  const compression = await largest.integer(TAG.compression, COMPRESSION.none);
  if (TIFF_LOSSLESS.includes(compression)) return LOSSLESS;
  const tiled = largest.has(TAG.tileWidth);
  const offsets = await largest.integers(tiled ? TAG.tileOffsets : TAG.stripOffsets, MAX_TILES);
  const counts = await largest.integers(tiled ? TAG.tileCounts : TAG.stripCounts, MAX_TILES);
  const longest = counts.reduce((best, count, at) => (count > counts[best]! ? at : best), 0);
  const start = offsets[longest]!;
  const data = await largest.file.read(start, start + Math.min(counts[longest]!, TILE_HEAD));
  if (compression === COMPRESSION.jpeg2000) return isReversible(data) ? LOSSLESS : LOSSY;
  const tables = (await largest.bytes(TAG.jpegTables)) ?? new Uint8Array(0);
  const whole = Uint8Array.of(...tables.subarray(0, -2), ...data);
  try {
    return ofJpeg(whole);
  } catch (cause) {
    if (cause instanceof RangeError) return UNKNOWN; // its markers end too early
    throw cause;
  }
}

/** From the markers before the first scan; tables that are missing make it "lossy". Throws RangeError. */
function ofJpeg(data: Uint8Array): Compression {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const tables = new Map<number, Table>();
  let components: (readonly [sampling: number, table: number])[] = [];
  for (let at = 2; at + 4 <= data.length && data[at] === 0xff; ) {
    const marker = data[at + 1]!;
    if (marker === START) {
      at += 2; // a tile after the tables it shares with others
      continue;
    }
    const size = view.getUint16(at + 2);
    if (marker === TABLES) readTables(view, at + 4, at + 2 + size, tables);
    else if (FRAMES.includes(marker))
      components = Array.from({ length: view.getUint8(at + 9) }, (_, i) => [
        view.getUint8(at + 11 + 3 * i),
        view.getUint8(at + 12 + 3 * i),
      ]);
    else if (marker === SCAN) break;
    at += 2 + size;
  }
  const [luma, chroma = luma] = components;
  if (!luma || !chroma || components.some(([, table]) => !tables.has(table))) return LOSSY;
  const halved = luma[0] === 0x22 && chroma[0] === 0x11;
  return { kind: "jpeg", tables: [tables.get(luma[1])!, tables.get(chroma[1])!], halved };
}

function readTables(view: DataView, from: number, to: number, tables: Map<number, Table>): void {
  for (let at = from; at < to; ) {
    const head = view.getUint8(at);
    const width = head >> 4 ? 2 : 1;
    const table = new Float64Array(BLOCK);
    ZIGZAG.forEach((place, i) => {
      const value = at + 1 + width * i;
      table[place] = width === 2 ? view.getUint16(value) : view.getUint8(value);
    });
    tables.set(head & 15, table);
    at += 1 + BLOCK * width;
  }
}

/** Whether a JPEG 2000 codestream has the 5/3 transform and one layer: then nothing was cut off, most likely. */
function isReversible(data: Uint8Array): boolean {
  const at = data.findIndex((byte, i) => byte === 0xff && data[i + 1] === 0x52);
  return at >= 0 && data[at + 13] === 1 && data[at + 6] === 0 && data[at + 7] === 1;
}

/**
 * The mean squared error that the tables of a JPEG make in these pixels; 0 for other compressions. They are quantised once more on two
 * grids of blocks, at most one of which is the source's own; the larger counts.
 */
export function ownError(pixels: Pixels, { tables, halved = false }: Compression): number {
  if (!tables) return 0;
  const [y, cb, cr] = planesOf(pixels);
  const planes = [y!, ...[cb!, cr!].map((plane) => (halved ? halfOf(plane) : plane))];
  const errorAt = (shift: number): number =>
    planes.reduce((sum, plane, at) => sum + WEIGHTS[at]! * errorOf(plane, tables[Math.min(at, 1)]!, shift), 0);
  return Math.max(errorAt(0), errorAt(4));
}

interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float64Array;
}

/** Y, Cb and Cr. */
function planesOf({ width, height, data }: Pixels): Plane[] {
  const planes = [0, 1, 2].map(() => ({ width, height, data: new Float64Array(width * height) }));
  for (let i = 0; i < width * height; i += 1) {
    const [red, green, blue] = [data[3 * i]!, data[3 * i + 1]!, data[3 * i + 2]!];
    const y = 0.299 * red + 0.587 * green + 0.114 * blue;
    planes[0]!.data[i] = y;
    planes[1]!.data[i] = (blue - y) / 1.772;
    planes[2]!.data[i] = (red - y) / 1.402;
  }
  return planes;
}

function halfOf({ width: wide, height: high, data }: Plane): Plane {
  const [width, height] = [wide >> 1, high >> 1];
  const half = new Float64Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = 2 * y * wide + 2 * x;
      half[y * width + x] = (data[at]! + data[at + 1]! + data[at + wide]! + data[at + wide + 1]!) / 4;
    }
  return { width, height, data: half };
}

const COSINES = Float64Array.from({ length: BLOCK }, (_, at) => {
  const [frequency, place] = [at >> 3, at & 7];
  return frequency === 0 ? Math.sqrt(1 / 8) : Math.cos(((2 * place + 1) * frequency * Math.PI) / 16) / 2;
});

/** Mean square of what quantising the plane's blocks, of which the first begins `shift` pixels inside, would change. */
function errorOf({ width, height, data }: Plane, table: Table, shift: number): number {
  const [columns, rows] = [width, height].map((side) => Math.floor(Math.max(0, side - shift) / SIDE)) as [
    number,
    number,
  ];
  if (columns === 0 || rows === 0) return 0;
  const [across, details] = [new Float64Array(BLOCK), new Float64Array(BLOCK)];
  let sum = 0;
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const start = (shift + SIDE * row) * width + shift + SIDE * column;
      for (let y = 0; y < SIDE; y += 1)
        for (let u = 0; u < SIDE; u += 1) {
          let value = 0;
          for (let x = 0; x < SIDE; x += 1) value += COSINES[SIDE * u + x]! * (data[start + y * width + x]! - 128);
          across[SIDE * y + u] = value;
        }
      for (let v = 0; v < SIDE; v += 1)
        for (let u = 0; u < SIDE; u += 1) {
          let value = 0;
          for (let y = 0; y < SIDE; y += 1) value += COSINES[SIDE * v + y]! * across[SIDE * y + u]!;
          details[SIDE * v + u] = value;
        }
      for (let i = 0; i < BLOCK; i += 1) sum += (details[i]! - halfEven(details[i]! / table[i]!) * table[i]!) ** 2;
    }
  return sum / (BLOCK * rows * columns);
}
