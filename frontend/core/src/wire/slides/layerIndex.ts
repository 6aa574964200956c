/** Pages of the layer index (wire/blocks.md, WI13 and WI14): the byte length of every layer of up to 32 x 32 blocks. */
import { crc32c } from "../stored/crc32c";
import { CorruptError } from "../http/errors";

export const PAGE = 32;

const MAGIC = [0x57, 0x53, 0x4c, 0x49]; // "WSLI"
const HEADER_BYTES = 8;
const CHECKSUM_BYTES = 4;

export interface LayerIndexPage {
  readonly layers: number;
  readonly columns: number;
  readonly rows: number;
  /** Row-major by block, then by layer. All zero: the block is empty and is not stored. */
  readonly lengths: Uint32Array;
}

/** The page of a block and the position of the block in it. */
export function pageOf(tilesAcross: number, x: number, y: number): { page: number; column: number; row: number } {
  const across = Math.ceil(tilesAcross / PAGE);
  return { page: Math.floor(y / PAGE) * across + Math.floor(x / PAGE), column: x % PAGE, row: y % PAGE };
}

/** What the checksum of a page covers beside its bytes: the parameter set of its level, its plane and number (ST20). */
export function pageSeed(parameters: Uint8Array, z: number, page: number): number {
  const numbers = new DataView(new ArrayBuffer(8));
  numbers.setUint32(0, z, true);
  numbers.setUint32(4, page, true);
  return crc32c(new Uint8Array(numbers.buffer), crc32c(parameters));
}

/** Throws CorruptError for anything but a complete, intact page that belongs here (`seed`: pageSeed()). */
export function parseLayerIndexPage(bytes: Uint8Array, seed: number): LayerIndexPage {
  if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) throw new CorruptError("layer index page: too short");
  if (MAGIC.some((byte, offset) => bytes[offset] !== byte)) throw new CorruptError("layer index page: not a page");
  if (bytes[4] !== 1) throw new CorruptError(`layer index page: version ${bytes[4]} is not known`);
  const body = bytes.subarray(0, bytes.length - CHECKSUM_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(body.length, true) !== crc32c(body, seed))
    throw new CorruptError("layer index page: the checksum does not fit");
  const [layers, columns, rows] = [bytes[5]!, bytes[6]!, bytes[7]!];
  if (layers < 1 || columns < 1 || columns > PAGE || rows < 1 || rows > PAGE) {
    throw new CorruptError("layer index page: impossible size");
  }
  return { layers, columns, rows, lengths: readLengths(body, columns * rows * layers) };
}

function readLengths(body: Uint8Array, count: number): Uint32Array {
  const lengths = new Uint32Array(count);
  let offset = HEADER_BYTES;
  for (let index = 0; index < count; index += 1) {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      if (offset >= body.length) throw new CorruptError("layer index page: ends inside a length");
      byte = body[offset]!;
      offset += 1;
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (value > 0xffffffff) throw new CorruptError("layer index page: a length is too large");
    } while (byte & 0x80 && scale <= 2 ** 35);
    lengths[index] = value;
  }
  if (offset !== body.length) throw new CorruptError("layer index page: bytes left over");
  return lengths;
}

/** True when nothing is stored for the block: its details are all zero. */
export function isEmptyBlock(page: LayerIndexPage, column: number, row: number): boolean {
  return blockLength(page, column, row, 0, page.layers) === 0;
}

/** Bytes of the layers [from, to) of a block. */
export function blockLength(page: LayerIndexPage, column: number, row: number, from: number, to: number): number {
  if (column >= page.columns || row >= page.rows) throw new CorruptError("layer index page: does not hold the block");
  const first = (row * page.columns + column) * page.layers;
  let sum = 0;
  for (let layer = from; layer < to; layer += 1) sum += page.lengths[first + layer]!;
  return sum;
}
