/** Layers of a block, cut apart by the lengths they begin with (codestream.md, CS5). Nothing is decoded. */

/** Length and checksum. */
const SHORTEST = 5;
const LENGTH_BYTES = 4;

/** Copies of the layers that follow each other in these bytes; null unless they fill them exactly. */
export function splitLayers(bytes: Uint8Array): Uint8Array[] | null {
  const layers: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += layers[layers.length - 1]!.length) {
    const length = layerLength(bytes.subarray(start));
    if (length === null) return null;
    layers.push(bytes.slice(start, start + length));
  }
  return layers;
}

/** Bytes of the first layer; null unless all of it is there. */
function layerLength(bytes: Uint8Array): number | null {
  let following = 0;
  for (let i = 0; i < Math.min(LENGTH_BYTES, bytes.length); i += 1) {
    following += (bytes[i]! & 0x7f) * 2 ** (7 * i);
    if (bytes[i]! > 0x7f) continue;
    const length = i + 1 + following;
    const shortest = i === 0 || bytes[i]! > 0;
    return shortest && length >= SHORTEST && length <= bytes.length ? length : null;
  }
  return null;
}
