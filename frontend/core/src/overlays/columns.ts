/** Columns of numbers as planes of bytes, and the gzip members that contain them (overlays.md, OV11, OV12). */
import { CorruptError } from "../wire/http/errors";

/** Bytes of a tile after decompression, at most (OV21). */
const MAX_PLAIN = 64 << 20;

/** What a gzip member contains. Rejects with CorruptError for a wrong checksum, one that ends early or late, and what is too large. */
export async function decompressed(member: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = new Blob([member]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.length;
      if (size > MAX_PLAIN) break;
      parts.push(read.value);
    }
  } catch (cause) {
    throw new CorruptError("a tile's checksum or compression is wrong", { cause });
  }
  if (size > MAX_PLAIN) {
    reader.cancel().catch(() => undefined);
    throw new CorruptError("a tile is too large");
  }
  if (parts.length === 1) return parts[0]!;
  const plain = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    plain.set(part, at);
    at += part.length;
  }
  return plain;
}

/** Reads columns one after the other. Throws CorruptError for what ends early. */
export class Columns {
  private at = 0;

  constructor(private readonly plain: Uint8Array) {}

  /** Four bytes. */
  number(): number {
    const [a, b, c, d] = this.take(4) as unknown as readonly [number, number, number, number];
    return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
  }

  /** `count` numbers of 0 to 2^32 - 1; the caller has bounded `count`: a column of zeros takes no bytes. */
  column(count: number): Uint32Array<ArrayBuffer> {
    const planes = this.planes(count);
    const numbers = new Uint32Array(count);
    planes.forEach((plane, i) => {
      const shift = 8 * i;
      for (let k = 0; k < count; k += 1) numbers[k] = numbers[k]! | (plane[k]! << shift);
    });
    return numbers;
  }

  signed(count: number): Int32Array<ArrayBuffer> {
    const numbers = this.column(count);
    for (let k = 0; k < count; k += 1) numbers[k] = (numbers[k]! >>> 1) ^ -(numbers[k]! & 1);
    return new Int32Array(numbers.buffer);
  }

  /** `count` numbers of 0 to 255. Throws CorruptError for a larger one. */
  bytes(count: number): Uint8Array<ArrayBuffer> {
    const [lowest, ...higher] = this.planes(count);
    if (higher.some((plane) => plane.some((value) => value !== 0)))
      throw new CorruptError("a class or score of more than 255");
    return lowest ? lowest.slice() : new Uint8Array(count);
  }

  /** Throws CorruptError if something is left. */
  end(): void {
    if (this.at !== this.plain.length)
      throw new CorruptError(`${this.plain.length - this.at} bytes after the end of a tile`);
  }

  /** The planes of a column, the lowest bytes first. */
  private planes(count: number): Uint8Array[] {
    const width = this.take(1)[0]!;
    if (width > 4) throw new CorruptError(`a column of ${width} bytes a number`);
    const all = this.take(width * count);
    return Array.from({ length: width }, (_, i) => all.subarray(i * count, (i + 1) * count));
  }

  private take(size: number): Uint8Array {
    if (size > this.plain.length - this.at) throw new CorruptError("a tile ends early");
    this.at += size;
    return this.plain.subarray(this.at - size, this.at);
  }
}
