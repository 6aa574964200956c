/** How the pixels of one picture of a TIFF are cut into tiles or strips and coded. Only RGB of 8 bits is read here (LI3). */
import type { Size } from "../../geometry/pyramid";
import { SlideFileError } from "../../wire/files/errors";
import { type Directory, MAX_TILES, TAG } from "./directories";

export const COMPRESSION = { none: 1, lzw: 5, jpeg: 7, deflate: 8, oldDeflate: 32946, jpeg2000: 33005 } as const;
const READABLE: readonly number[] = Object.values(COMPRESSION);
const YCBCR = 6;
const RGB = 2;
/** Of a decoded tile or strip. */
const MAX_SEGMENT_BYTES = 64 << 20;
/** A side of a tile (TIFF 6.0, section 15). */
const MIN_TILE = 16;
/** ST6 */
const MAX_SIDE = 1 << 24;

export interface Layout extends Size {
  readonly tiled: boolean;
  readonly segmentWidth: number;
  readonly segmentHeight: number;
  readonly columns: number;
  readonly rows: number;
  readonly compression: number;
  readonly ycbcr: boolean;
  /** Samples are differences to those on their left. */
  readonly differences: boolean;
}

/** Throws SlideFileError: malformed, too-large or unsupported. */
export async function layoutOf(directory: Directory, signal?: AbortSignal): Promise<Layout> {
  const { name } = directory.file;
  const value = (tag: number, otherwise: number): Promise<number> => directory.integer(tag, otherwise, signal);
  const unsupported = (what: string): SlideFileError => new SlideFileError("unsupported", `${name}: ${what}`);
  const { width, height } = await sizeOf(directory, signal);
  const bits = await directory.integers(TAG.bits, 16, signal);
  const photometric = await value(TAG.photometric, -1);
  const samples = await value(TAG.samples, 1);
  const isRgb = samples === 3 && (photometric === RGB || photometric === YCBCR);
  const compression = await value(TAG.compression, COMPRESSION.none);
  const ycbcr = photometric === YCBCR;
  if (!isRgb || bits.length !== 3 || bits.some((bit) => bit !== 8)) throw unsupported("no picture of RGB with 8 bits");
  if (!READABLE.includes(compression)) throw unsupported(`compression ${compression}`);
  if (ycbcr && compression !== COMPRESSION.jpeg) throw unsupported("YCbCr without JPEG");
  if ((await value(TAG.planar, 1)) !== 1) throw unsupported("a plane for each colour");
  if (
    (await value(TAG.sampleFormat, 1)) !== 1 ||
    (await value(TAG.fillOrder, 1)) !== 1 ||
    (await value(TAG.depth, 1)) !== 1
  )
    throw unsupported("a rare kind of samples");
  const predictor = await value(TAG.predictor, 1);
  const predicted = compression === COMPRESSION.lzw || isDeflate(compression);
  if (predicted && predictor !== 1 && predictor !== 2) throw unsupported(`predictor ${predictor}`);
  const tiled = directory.has(TAG.tileWidth);
  const segmentWidth = tiled ? await value(TAG.tileWidth, 0) : width;
  const segmentHeight = tiled
    ? await value(TAG.tileHeight, 0)
    : Math.min(height, await value(TAG.rowsPerStrip, height));
  const least = tiled ? MIN_TILE : 1;
  if (Math.min(segmentWidth, segmentHeight) < least)
    throw new SlideFileError("malformed", `${name}: tiles of ${segmentWidth} x ${segmentHeight} pixels`);
  if (3 * segmentWidth * segmentHeight > MAX_SEGMENT_BYTES)
    throw new SlideFileError("too-large", `${name}: tiles of ${segmentWidth} x ${segmentHeight} pixels`);
  const [columns, rows] = [Math.ceil(width / segmentWidth), Math.ceil(height / segmentHeight)];
  if (columns * rows > MAX_TILES) throw new SlideFileError("too-large", `${name}: ${columns * rows} tiles`);
  const differences = predicted && predictor === 2;
  return { width, height, tiled, segmentWidth, segmentHeight, columns, rows, compression, ycbcr, differences };
}

/** Throws SlideFileError. */
export async function sizeOf(directory: Directory, signal?: AbortSignal): Promise<Size> {
  const width = await directory.integer(TAG.width, 0, signal);
  const height = await directory.integer(TAG.height, 0, signal);
  if (Math.min(width, height) < 1)
    throw new SlideFileError("malformed", `${directory.file.name}: a picture without pixels`);
  if (Math.max(width, height) > MAX_SIDE)
    throw new SlideFileError("too-large", `${directory.file.name}: ${width} x ${height} pixels`);
  return { width, height };
}

export const isDeflate = (compression: number): boolean =>
  compression === COMPRESSION.deflate || compression === COMPRESSION.oldDeflate;
