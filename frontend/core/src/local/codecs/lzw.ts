/** LZW of TIFF 6.0 (section 13): codes of 9 to 12 bits, most significant bit first. */
import { DamagedTileError } from "./codecs";

const [CLEAR, END, FIRST, MAX_CODES] = [256, 257, 258, 4096];

/** Exactly `length` bytes. Throws DamagedTileError. */
export function decodeLzw(bytes: Uint8Array, length: number): Uint8Array {
  const decoded = new Uint8Array(length);
  const starts = new Uint32Array(MAX_CODES); // of each code: where in `decoded` its bytes lie
  const lengths = new Uint32Array(MAX_CODES);
  let [written, next, width, previous] = [0, FIRST, 9, -1];
  let [bits, held, at] = [0, 0, 0];
  while (written < length) {
    while (held < width) {
      if (at >= bytes.length) throw new DamagedTileError("LZW that is cut off");
      bits = ((bits << 8) | bytes[at++]!) & 0xfffff;
      held += 8;
    }
    const code = (bits >> (held - width)) & ((1 << width) - 1);
    held -= width;
    if (code === END) break;
    if (code === CLEAR) {
      [next, width, previous] = [FIRST, 9, -1];
      continue;
    }
    if (code >= (previous < 0 ? CLEAR : next + 1)) throw new DamagedTileError("LZW with an unknown code");
    const start = written;
    if (code < CLEAR) decoded[written++] = code;
    else if (code < next) {
      const end = Math.min(length, written + lengths[code]!);
      for (let from = starts[code]!; written < end; ) decoded[written++] = decoded[from++]!;
    }
    if (previous >= 0 && next < MAX_CODES) {
      // What came before and the first byte of this one lie together in what is decoded.
      const before = previous < CLEAR ? 1 : lengths[previous]!;
      starts[next] = start - before;
      lengths[next] = before + 1;
      if (code === next) {
        const end = Math.min(length, written + lengths[next]!);
        for (let from = starts[next]!; written < end; ) decoded[written++] = decoded[from++]!;
      }
      next += 1;
      if (next + 1 >= 1 << width && width < 12) width += 1;
    }
    previous = code;
  }
  if (written < length) throw new DamagedTileError(`LZW of ${written} bytes for ${length}`);
  return decoded;
}
