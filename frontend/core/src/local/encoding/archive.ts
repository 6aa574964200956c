/** The one-file form of an export (SH10 to SH12), from contents that lie elsewhere: nothing is copied. */
import { Bytes } from "./bytes";

/** A file of the archive. `crc`: its CRC-32. */
export interface Entry {
  readonly path: string;
  readonly size: number;
  readonly crc: number;
  readonly content: Blob | Uint8Array<ArrayBuffer>;
}

/** Bytes of an entry, at most: a reader refuses more. */
export const MAX_ENTRY = 2_000_000_000;
const LARGE = 0xffffffff;
const MANY = 0xffff;
/** 1980-01-01. */
const DATE = 0x21;
const PERMISSIONS = 0o644;

/** The parts of the archive, one after another. */
export function archiveOf(entries: readonly Entry[]): (Blob | Uint8Array<ArrayBuffer>)[] {
  const parts: (Blob | Uint8Array<ArrayBuffer>)[] = [];
  const list = new Bytes();
  let at = 0;
  for (const { path, size, crc, content } of entries) {
    if (size > MAX_ENTRY) throw new RangeError(`${path}: ${size} bytes`);
    const large = at >= LARGE;
    const common = (version: number): Uint8Array =>
      new Bytes().u16(version, 0, 0, 0, DATE).u32(crc, size, size).u16(path.length).done();
    parts.push(new Bytes().u32(0x04034b50).add(common(20)).u16(0).text(path).done(), content);
    const version = large ? 45 : 20;
    const unix = 3 << 8;
    list
      .u32(0x02014b50)
      .u16(unix | version)
      .add(common(version));
    list
      .u16(large ? 12 : 0, 0, 0, 0)
      .u32(PERMISSIONS * 2 ** 16, large ? LARGE : at)
      .text(path);
    if (large) list.u16(1, 8).u64(at);
    at += 30 + path.length + size;
  }
  const places = list.done();
  const count = entries.length;
  const end = new Bytes();
  if (count >= MANY || at >= LARGE || places.length >= LARGE) {
    end.u32(0x06064b50).u64(44).u16(45, 45).u32(0, 0).u64(count, count, places.length, at);
    end
      .u32(0x07064b50, 0)
      .u64(at + places.length)
      .u32(1);
    end.u32(0x06054b50).u16(0, 0, MANY, MANY).u32(LARGE, LARGE).u16(0);
  } else end.u32(0x06054b50).u16(0, 0, count, count).u32(places.length, at).u16(0);
  return [...parts, places, end.done()];
}

/** What every view needs comes first: documents, index and approximation, then levels from the coarsest on (SH10). */
export function inOrder(paths: readonly string[]): string[] {
  const rank = (path: string): [number, number] => {
    const [folder, level = ""] = path.split("/");
    return [Number(folder === "levels"), folder === "levels" && /^\d+$/.test(level) ? -Number(level) : 0];
  };
  return [...paths].sort((a, b) => {
    const [[x, m], [y, n]] = [rank(a), rank(b)];
    return x - y || m - n || (a < b ? -1 : 1);
  });
}
