/**
 * JPEG tiles of a TIFF: what the file tells outside of them is put into them, and their headers are checked before libjpeg-turbo sees them.
 * The twin of decode_jpeg in backend/src/wavescope/source/codestreams.py.
 */
import type { Size } from "../../geometry/pyramid";
import { DamagedTileError } from "./codecs";

/** An APP14 marker up to its last byte, the colour transform: 0 none, 1 YCbCr. */
const ADOBE = [0xff, 0xee, 0x00, 0x0e, 0x41, 0x64, 0x6f, 0x62, 0x65, 0x00, 0x64, 0x00, 0x00, 0x00, 0x00];
const [SCAN, END] = [0xda, 0xd9];
/** Baseline, extended and progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2];
/** Of one JPEG: each goes over the whole picture. Encoders write about ten. */
const MAX_SCANS = 64;

/** A JPEG of its own, from a tile and the tables that all tiles share. */
export function wholeJpeg(tile: Uint8Array, tables: Uint8Array | null, ycbcr: boolean): Uint8Array {
  const shared = tables ? tables.subarray(2, -2) : new Uint8Array(0);
  const bytes = new Uint8Array(tile.length + ADOBE.length + 1 + shared.length);
  bytes.set(tile.subarray(0, 2));
  bytes.set([...ADOBE, ycbcr ? 1 : 0], 2);
  bytes.set(shared, 3 + ADOBE.length);
  bytes.set(tile.subarray(2), 3 + ADOBE.length + shared.length);
  return bytes;
}

/** Throws DamagedTileError unless this is a complete JPEG of three components and this size. */
export function checkJpeg(bytes: Uint8Array, { width, height }: Size): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) throw new DamagedTileError("no JPEG");
  let framed = false;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SCAN) {
    const length = view.getUint16(at + 2);
    if (FRAMES.includes(bytes[at + 1]!)) {
      if (at + 10 > bytes.length) break;
      const [lines, columns, components] = [view.getUint16(at + 5), view.getUint16(at + 7), bytes[at + 9]];
      if (framed || columns !== width || lines !== height || components !== 3 || bytes[at + 4] !== 8)
        throw new DamagedTileError(`a JPEG of ${columns} x ${lines} pixels stands for ${width} x ${height}`);
      framed = true;
    }
    at += 2 + length;
  }
  if (!framed || bytes[at + 1] !== SCAN) throw new DamagedTileError("a JPEG without a picture");
  checkScans(bytes, at);
}

/** Counts the scans up to the end of the picture, which has to be there: libjpeg fills what is missing with grey. */
function checkScans(bytes: Uint8Array, from: number): void {
  let scans = 0;
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === END) return;
    if (bytes[at + 1] === SCAN) scans += 1;
    if (scans > MAX_SCANS) throw new DamagedTileError(`more than ${MAX_SCANS} scans`);
  }
  throw new DamagedTileError("a JPEG that is cut off");
}
