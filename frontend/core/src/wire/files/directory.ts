/** The directory of a layer-index file (store.md, ST30 to ST32): where its pages are, how long shards and approximations are. Pure. */
import { type Pyramid } from "../../geometry/pyramid";
import { CorruptError } from "../http/errors";
import { PAGE } from "../slides/layerIndex";
import { crc32c } from "../stored/crc32c";
import { SlideFileError } from "./errors";

/** Blocks a side of a shard (ST10). */
export const SHARD = 16;
const HEADER_BYTES = 24;
const PAGE_BYTES = 12;
const FILE_BYTES = 40;
const CHECKSUM_BYTES = 4;
/** Of a directory, in bytes: 1.6 million shards. */
const MOST = 64 << 20;

/** What decides how many entries a directory has, and in which order. */
export interface IndexShape {
  readonly pyramid: Pyramid;
  /** Planes of all channel groups: that of plane z and group c is z * groups + c. */
  readonly pictures: number;
  readonly layers: number;
}

export interface Directory {
  /** Where a page is in the file. */
  page(picture: number, level: number, page: number): { readonly offset: number; readonly length: number };
  /** Bytes of a shard; 0: it does not exist. */
  shardBytes(picture: number, level: number, sx: number, sy: number): number;
  /** Where each layer of a picture's approximation ends in its file. */
  approximationEnds(picture: number): readonly number[];
}

/** Groups of blocks of a level. */
function grid(
  { pyramid }: IndexShape,
  level: number,
  side: number,
): { readonly columns: number; readonly count: number } {
  const { columns, rows } = pyramid.tiles(level);
  const across = Math.ceil(columns / side);
  return { columns: across, count: across * Math.ceil(rows / side) };
}

const levelsOf = ({ pyramid }: IndexShape): number[] => Array.from({ length: pyramid.top }, (_, level) => level);

/** Where the groups of each level begin in the order of one picture, and how many a picture has. */
function starts(shape: IndexShape, side: number): { readonly at: readonly number[]; readonly picture: number } {
  const counts = levelsOf(shape).map((level) => grid(shape, level, side).count);
  const at: number[] = [];
  let sum = 0;
  for (const count of counts) {
    at.push(sum);
    sum += count;
  }
  return { at, picture: sum };
}

/** Bytes of the directory, as follows from the slide alone. Throws SlideFileError for more than this page reads. */
export function directoryBytes(shape: IndexShape): number {
  const [pages, shards] = [PAGE, SHARD].map((side) => shape.pictures * starts(shape, side).picture) as [number, number];
  const approximations = shape.pictures * (FILE_BYTES + 4 * shape.layers);
  const size = HEADER_BYTES + pages * PAGE_BYTES + shards * FILE_BYTES + approximations + CHECKSUM_BYTES;
  if (size > MOST) throw new SlideFileError("too-large", `a directory of ${size} bytes`);
  return size;
}

/** `seed`: the CRC-32C of the parameter set of the approximation. Throws CorruptError for all but a directory of this shape. */
export function parseDirectory(bytes: Uint8Array, shape: IndexShape, seed: number): Directory {
  const size = directoryBytes(shape);
  const fault = (what: string): CorruptError => new CorruptError(`the layer index: ${what}`);
  if (bytes.length !== size) throw fault("its directory is cut short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(size - CHECKSUM_BYTES, true) !== crc32c(bytes.subarray(0, size - CHECKSUM_BYTES), seed))
    throw fault("the checksum of its directory does not match");
  const [pages, shards] = [starts(shape, PAGE), starts(shape, SHARD)];
  const { pictures } = shape;
  const numbers = [pictures, pictures * pages.picture, pictures * shards.picture, size];
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  const kind = [1, shape.layers, shape.pyramid.top, PAGE];
  if (magic !== "WSLX" || kind.some((value, i) => bytes[4 + i] !== value)) throw fault("it is of another slide");
  if (numbers.some((value, i) => view.getUint32(8 + 4 * i, true) !== value)) throw fault("it is of another slide");
  const long = (at: number): number => {
    const value = view.getUint32(at, true) + 2 ** 32 * view.getUint32(at + 4, true);
    if (!Number.isSafeInteger(value)) throw fault("a length is too large");
    return value;
  };
  const shardsAt = HEADER_BYTES + numbers[1]! * PAGE_BYTES;
  const picturesAt = shardsAt + numbers[2]! * FILE_BYTES;
  return {
    page: (picture, level, page) => {
      const at = HEADER_BYTES + PAGE_BYTES * (picture * pages.picture + pages.at[level]! + page);
      const [offset, length] = [long(at), view.getUint32(at + 8, true)];
      if (offset < size || length > MOST) throw fault("a page lies outside");
      return { offset, length };
    },
    shardBytes: (picture, level, sx, sy) => {
      const number = picture * shards.picture + shards.at[level]! + sy * grid(shape, level, SHARD).columns + sx;
      return long(shardsAt + FILE_BYTES * number);
    },
    approximationEnds: (picture) => {
      const at = picturesAt + picture * (FILE_BYTES + 4 * shape.layers);
      let end = 0;
      const ends = Array.from(
        { length: shape.layers },
        (_, i) => (end += view.getUint32(at + FILE_BYTES + 4 * i, true)),
      );
      if (end !== long(at)) throw fault("the layers of an approximation do not fill it");
      return ends;
    },
  };
}
