/** For tests: files of this machine, and codecs whose modules are read from it. */
import { open, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { RangeFile } from "../wire/files/folder";
import { memoryFile } from "../wire/files/testing";
import type { Codecs } from "./codecs/codecs";
import { loadedCodecs } from "./codecs/loading";

const REPOSITORY = fileURLToPath(new URL("../../../..", import.meta.url));

/** The real codecs. */
export function nodeCodecs(): Codecs {
  return loadedCodecs(async (url) => {
    const at = url.replace(/\?.*$/, "");
    const inPackages = at.includes("/node_modules/")
      ? `${REPOSITORY}frontend${at.slice(at.indexOf("/node_modules/"))}`
      : null;
    const inShared = `${REPOSITORY}${at.slice(at.indexOf("/shared/") + 1)}`;
    const bytes = await readFile(inPackages ?? inShared);
    return new Uint8Array(bytes).buffer;
  });
}

/** A file that is read by ranges, and how many bytes were read. */
export async function diskFile(path: string) {
  const handle = await open(path);
  let sum = 0;
  const file: RangeFile = {
    name: path.split("/").pop()!,
    size: async () => (await handle.stat()).size,
    read: async (from, to) => {
      sum += to - from;
      const bytes = new Uint8Array(to - from);
      await handle.read(bytes, 0, bytes.length, from);
      return bytes;
    },
  };
  return { ...file, bytesRead: () => sum, close: () => handle.close() };
}

/** A classic TIFF of one directory behind 48 bytes of pixels; `next` gives the offset of the next directory from that of this one. */
export function tiffOf(
  tags: Readonly<Record<number, number | readonly number[]>>,
  next: (start: number) => number = () => 0,
): Uint8Array {
  const entries = Object.entries(tags).map(([tag, values]) => [Number(tag), [values].flat()] as const);
  const start = 8 + 48;
  const outside = start + 2 + 12 * entries.length + 4;
  const bytes = new Uint8Array(outside + 4 * entries.reduce((sum, [, { length }]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x49492a00);
  view.setUint32(4, start, true);
  view.setUint16(start, entries.length, true);
  let free = outside;
  for (const [i, [tag, values]] of entries.entries()) {
    const at = start + 2 + 12 * i;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, 4, true);
    view.setUint32(at + 4, values.length, true);
    const place = values.length > 1 ? free : at + 8;
    if (values.length > 1) view.setUint32(at + 8, free, true);
    for (const [j, value] of values.entries()) view.setUint32(place + 4 * j, value, true);
    if (values.length > 1) free += 4 * values.length;
  }
  view.setUint32(outside - 4, next(start), true);
  return bytes;
}

export { memoryFile };
