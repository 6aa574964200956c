/** One tile of a raster: its samples (overlays.md, OV65 to OV68). */
import { CorruptError } from "../wire/http/errors";
import { Columns, decompressed } from "./columns";
import { OVERLAY_TILE, type TilePlace } from "./tile";

/** What the samples of a raster are. */
export interface RasterInfo {
  readonly kind: "values" | "labels";
  /** Pixels of the raster. */
  readonly width: number;
  readonly height: number;
  /** The largest sample; 0 is no value, or no label. */
  readonly last: number;
  /** The label of each class; empty: every label is of class 0. */
  readonly labels: readonly number[];
  /** Of the tiles of each level; null: not known. */
  readonly bytes?: readonly number[] | null;
}

export interface RasterTile {
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly samples: Uint16Array<ArrayBuffer>;
}

/** As many ways in which a sample is expected. */
const PREDICTORS = 4;
/** The largest difference. */
const LARGEST = 32_767;

/** The first level that is one tile. */
export const topOf = ({ width, height }: RasterInfo): number =>
  Math.max(0, Math.ceil(Math.log2(Math.ceil(Math.max(width, height) / OVERLAY_TILE))));

/** Columns and rows of a tile; not above 0: there is none. */
export function tileSize({ width, height }: RasterInfo, { level, x, y }: TilePlace): readonly [number, number] {
  const along = (size: number, at: number): number =>
    Math.min(OVERLAY_TILE, Math.ceil(size / 2 ** level) - at * OVERLAY_TILE);
  return [along(width, x), along(height, y)];
}

/** The tile of a gzip member. Rejects with CorruptError. */
export async function decodeRaster(
  member: Uint8Array<ArrayBuffer>,
  raster: RasterInfo,
  place: TilePlace,
): Promise<RasterTile> {
  const [width, height] = tileSize(raster, place);
  if (width <= 0 || height <= 0) throw new CorruptError("a tile outside of the raster");
  const plain = await decompressed(member);
  const predictor = plain[0] ?? PREDICTORS;
  if (predictor >= PREDICTORS) throw new CorruptError("a tile of unknown differences");
  const columns = new Columns(plain.subarray(1));
  const differences = columns.signed(width * height);
  columns.end();
  if (differences.some((one) => one < -LARGEST - 1 || one > LARGEST))
    throw new CorruptError("a difference of more than 16 bits");
  const samples = Uint16Array.from(differences); // modulo 65,536, as all that follows
  if (predictor & 1) for (let k = 0; k < samples.length; k += 1) if (k % width) samples[k]! += samples[k - 1]!;
  if (predictor & 2) for (let k = width; k < samples.length; k += 1) samples[k]! += samples[k - width]!;
  if (samples.some((sample) => sample > raster.last)) throw new CorruptError("a sample beyond the largest one");
  return { width, height, samples };
}
