/** Columns of numbers as planes of bytes or codes of bits, and the gzip members that contain them (overlays.md, OV11, OV12, OV79). */
import { CorruptError } from "../wire/http/errors";

/** Bytes of a tile after decompression, at most (OV21). */
const MAX_PLAIN = 64 << 20;
/** A column that begins with one of them plus k, at most 24, has codes in place of planes. */
const [RICE, BELOW, BITS] = [32, 64, 96];
const MAX_BITS = 24;
/** Bits of the unary part for each number, at most. */
const UNARY = 32;

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
    const width = this.take(1)[0]!;
    if (width > 4) return this.codes(width & ~31, width & 31, count);
    const planes = this.take(width * count);
    const numbers = new Uint32Array(count);
    for (let i = 0; i < width; i += 1)
      for (let k = 0; k < count; k += 1) numbers[k] = numbers[k]! | (planes[i * count + k]! << (8 * i));
    return numbers;
  }

  signed(count: number): Int32Array<ArrayBuffer> {
    const numbers = this.column(count);
    for (let k = 0; k < count; k += 1) numbers[k] = (numbers[k]! >>> 1) ^ -(numbers[k]! & 1);
    return new Int32Array(numbers.buffer);
  }

  /** `count` numbers of 0 to 255. Throws CorruptError for a larger one. */
  bytes(count: number): Uint8Array<ArrayBuffer> {
    const numbers = this.column(count);
    let all = 0;
    for (let i = 0; i < count; i += 1) all |= numbers[i]!;
    if (all >>> 8 !== 0) throw new CorruptError("a class or score of more than 255");
    return new Uint8Array(numbers);
  }

  /** Throws CorruptError if something is left. */
  end(): void {
    if (this.at !== this.plain.length)
      throw new CorruptError(`${this.plain.length - this.at} bytes after the end of a tile`);
  }

  /** A column of codes. */
  private codes(kind: number, k: number, count: number): Uint32Array<ArrayBuffer> {
    if (!(kind === RICE || kind === BELOW || kind === BITS) || k > MAX_BITS)
      throw new CorruptError(`a column of the kind ${kind + k}`);
    const base = kind === BELOW ? this.take(1)[0]! : 0;
    const numbers = lowBits(this.take(Math.ceil((count * k) / 8)), k, count);
    if (kind !== BITS) this.addUnary(numbers, k, kind === BELOW ? base : 2 ** 32 - 1);
    if (kind === BELOW) for (let i = 0; i < count; i += 1) numbers[i] = base - numbers[i]!;
    return numbers;
  }

  /** Adds 2^k for each zero before the one of each number. */
  private addUnary(numbers: Uint32Array, k: number, most: number): void {
    const { plain } = this;
    const end = Math.min(plain.length, this.at + ((UNARY * numbers.length) >> 3) + 1);
    const unit = 2 ** k;
    let [bits, held] = [0, 0]; // what is left of a byte, the lowest bit first
    for (let i = 0; i < numbers.length; i += 1) {
      let zeros = 0;
      while (bits === 0) {
        if (this.at >= end) throw new CorruptError("a tile ends early");
        zeros += held;
        bits = plain[this.at]!;
        held = 8;
        this.at += 1;
      }
      const more = 31 - Math.clz32(bits & -bits);
      bits >>= more + 1;
      held -= more + 1;
      const value = numbers[i]! + (zeros + more) * unit;
      if (value > most) throw new CorruptError("a number of a column that is out of its range");
      numbers[i] = value;
    }
  }

  private take(size: number): Uint8Array {
    if (size > this.plain.length - this.at) throw new CorruptError("a tile ends early");
    this.at += size;
    return this.plain.subarray(this.at - size, this.at);
  }
}

/** `count` numbers of k bits, the lowest bits first. */
function lowBits(bytes: Uint8Array, k: number, count: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  if (k === 0) return numbers;
  const mask = 2 ** k - 1;
  let [bits, held, at] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    while (held < k) {
      bits |= bytes[at]! << held; // at most 31 bits are held
      held += 8;
      at += 1;
    }
    numbers[i] = bits & mask;
    bits >>>= k;
    held -= k;
  }
  return numbers;
}
