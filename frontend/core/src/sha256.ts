/** SHA-256 of bytes that come in pieces: what browsers have needs all of them at once, and a page from a safe origin. */
import { sha256 as hash } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export class Sha256 {
  private readonly state = hash.create();

  update(bytes: Uint8Array): this {
    this.state.update(bytes);
    return this;
  }

  /** In hexadecimal; nothing may follow. */
  hex(): string {
    return bytesToHex(this.state.digest());
  }
}

export const sha256 = (...parts: readonly Uint8Array[]): string => {
  const whole = new Sha256();
  for (const part of parts) whole.update(part);
  return whole.hex();
};

const PIECE = 4 << 20;

/** Of a file, in pieces. After each, `hashed` is called with the bytes so far; what it throws ends this. Throws what reading throws. */
export async function sha256OfFile(file: Blob, hashed?: (done: number) => void): Promise<string> {
  const hash = new Sha256();
  for (let at = 0; at < file.size; at += PIECE) {
    hash.update(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()));
    hashed?.(Math.min(file.size, at + PIECE));
  }
  return hash.hex();
}
