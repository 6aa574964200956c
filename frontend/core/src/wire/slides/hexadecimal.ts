/** Bytes from pairs of hexadecimal digits. */
export function bytesOfHex(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length >> 1 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
