/** Layers of a block, cut apart by what they say of themselves (codestream.md, CS5 and CS6). Nothing is decoded. */

const MAGIC = 0x57;
const LENGTH_AT = 4;
/** Header and checksum. */
const SHORTEST = 12;

/** Copies of the layers that follow each other in these bytes; null unless they fill them exactly. */
export function splitLayers(bytes: Uint8Array): Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const layers: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += layers[layers.length - 1].length) {
    if (bytes.length - start < SHORTEST || bytes[start] !== MAGIC) return null;
    const length = view.getUint32(start + LENGTH_AT, true);
    if (length < SHORTEST || length > bytes.length - start) return null;
    layers.push(bytes.slice(start, start + length));
  }
  return layers;
}
