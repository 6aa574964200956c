/** Pixels as a bitmap file (BMP), which every browser decodes off the main thread and without loss. */
import type { Size } from "../geometry/pyramid";

const HEADER = 54;

/** From interleaved RGB. */
export function bitmapFile(rgb: Uint8Array, { width, height }: Size): ArrayBuffer {
  const stride = Math.ceil((3 * width) / 4) * 4;
  const file = new Uint8Array(HEADER + stride * height);
  const view = new DataView(file.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, file.length, true);
  view.setUint32(10, HEADER, true);
  view.setUint32(14, HEADER - 14, true);
  view.setInt32(18, width, true);
  view.setInt32(22, -height, true); // rows from the top
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let y = 0; y < height; y += 1)
    for (let x = 0, from = 3 * width * y, to = HEADER + stride * y; x < width; x += 1, from += 3, to += 3) {
      file[to] = rgb[from + 2]!;
      file[to + 1] = rgb[from + 1]!;
      file[to + 2] = rgb[from]!;
    }
  return file.buffer;
}
