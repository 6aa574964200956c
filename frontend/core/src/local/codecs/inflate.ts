/** Deflate (zlib) by the browser. */
import { DamagedTileError } from "./codecs";

/** The first `length` bytes; no more are decoded. Throws DamagedTileError. */
export async function inflate(bytes: Uint8Array, length: number): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("deflate"));
  const decoded = new Uint8Array(length);
  const reader = stream.getReader();
  let written = 0;
  try {
    while (written < length) {
      const { value, done } = await reader.read();
      if (done) break;
      decoded.set(value.subarray(0, length - written), written);
      written += Math.min(value.length, length - written);
    }
  } catch (cause) {
    throw new DamagedTileError("damaged Deflate", { cause });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (written < length) throw new DamagedTileError(`Deflate of ${written} bytes for ${length}`);
  return decoded;
}
