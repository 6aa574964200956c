/** Numbers as bytes, little-endian, one after another. */
import { crc32c } from "../../wire/stored/crc32c";

export class Bytes {
  private readonly parts: number[] = [];

  u8(...values: readonly number[]): this {
    for (const value of values) this.parts.push(value & 255);
    return this;
  }

  u16(...values: readonly number[]): this {
    for (const value of values) this.u8(value, value >>> 8);
    return this;
  }

  u32(...values: readonly number[]): this {
    for (const value of values) this.u16(value & 0xffff, value >>> 16);
    return this;
  }

  u64(...values: readonly number[]): this {
    for (const value of values) this.u32(value % 2 ** 32, Math.floor(value / 2 ** 32));
    return this;
  }

  /** In the shortest form. */
  leb128(value: number): this {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.u8((rest % 128) | 128);
    return this.u8(rest);
  }

  add(bytes: Iterable<number>): this {
    for (const byte of bytes) this.parts.push(byte);
    return this;
  }

  text(ascii: string): this {
    return this.add(new TextEncoder().encode(ascii));
  }

  done(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.parts);
  }

  /** Followed by their CRC-32C, which begins at `seed`. */
  withChecksum(seed = 0): Uint8Array<ArrayBuffer> {
    const sum = crc32c(this.done(), seed);
    return this.u32(sum).done();
  }
}

const POLYNOMIAL = 0xedb88320;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value >>> 0;
});

/** The CRC-32 of ZIP archives. */
export function crc32(parts: readonly Uint8Array[]): number {
  let value = -1;
  for (const bytes of parts) for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ -1) >>> 0;
}
