/** A PNG of 8-bit RGB, as the browser decodes it: the one file that needs no reader of its own. */
import { SlideFileError } from "../wire/files/errors";
import type { LocalPicture } from "./localPicture";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER_BYTES = 33;
const RGB = 2;
const CHANNELS = 3;
/** What changes its pixels on the way to the screen; the service applies it, or stores it. */
const REFUSED = ["iCCP", "gAMA", "cHRM", "sRGB", "cICP", "tRNS", "acTL"];
/** Pixels of a picture that is decoded as a whole. */
const MOST_PIXELS = 1 << 26;
const CHUNK_BYTES = 12;
const MOST_CHUNKS = 10_000;

export async function isPng(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, SIGNATURE.length).arrayBuffer());
  return SIGNATURE.every((byte, at) => head[at] === byte);
}

/** Throws SlideFileError. */
export async function openPng(file: File): Promise<LocalPicture> {
  const head = new DataView(await file.slice(0, HEADER_BYTES).arrayBuffer());
  if (head.byteLength < HEADER_BYTES) throw new SlideFileError("truncated", `${file.name}: it is cut off`);
  const [width, height] = [head.getUint32(16), head.getUint32(20)];
  const [depth, colour] = [head.getUint8(24), head.getUint8(25)];
  if (width * height > MOST_PIXELS) throw new SlideFileError("too-large", `${file.name}: ${width} x ${height} pixels`);
  const other = depth !== 8 || colour !== RGB ? `${depth} bits, colour type ${colour}` : await refusedChunk(file);
  if (other !== null) throw new SlideFileError("unsupported", `${file.name}: ${other}`);
  const bitmap = await createImageBitmap(file, { colorSpaceConversion: "none", premultiplyAlpha: "none" }).catch(
    (cause: unknown) => {
      throw new SlideFileError("malformed", `${file.name}: it cannot be decoded`, { cause });
    },
  );
  const readRegion = (_: number, x: number, y: number, w: number, h: number): Promise<Uint8Array> => {
    const canvas = new OffscreenCanvas(w, h);
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.drawImage(bitmap, -x, -y);
    return Promise.resolve(opaque(context.getImageData(0, 0, w, h).data));
  };
  const levels = [{ width, height }];
  return { width, height, levels, facts: {}, readRegion, close: () => bitmap.close() };
}

/** The name of a chunk before the pixels that is not read here. */
async function refusedChunk(file: Blob): Promise<string | null> {
  let at = SIGNATURE.length;
  for (let count = 0; count < MOST_CHUNKS; count += 1) {
    const chunk = new DataView(await file.slice(at, at + CHUNK_BYTES).arrayBuffer());
    if (chunk.byteLength < CHUNK_BYTES) return null;
    const name = String.fromCharCode(...[4, 5, 6, 7].map((offset) => chunk.getUint8(offset)));
    if (name === "IDAT") return null;
    if (REFUSED.includes(name)) return name;
    at += CHUNK_BYTES + chunk.getUint32(0);
  }
  return "chunks";
}

function opaque(rgba: Uint8ClampedArray): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * CHANNELS);
  for (let at = 0, from = 0; at < rgb.length; at += CHANNELS, from += 4) {
    rgb[at] = rgba[from]!;
    rgb[at + 1] = rgba[from + 1]!;
    rgb[at + 2] = rgba[from + 2]!;
  }
  return rgb;
}
