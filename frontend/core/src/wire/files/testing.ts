/** Small worlds for the tests of files: the stored slides of shared/vectors, and archives written byte by byte from static.md. */
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { servedManifest } from "../testing";
import { CorruptError } from "../http/errors";
import { type Manifest, manifestOf } from "../slides/manifest";
import type { RangeFile, SlideFolder } from "./folder";

const GOLDEN = fileURLToPath(new URL("../../../../../shared/vectors/store/slides/", import.meta.url));

/** A slide of two channels of 16 bits and two planes. */
const OF_CHANNELS = fileURLToPath(new URL("../../../../../shared/vectors/store-1.1/slides/", import.meta.url));
export const CHANNELS = OF_CHANNELS + readdirSync(OF_CHANNELS)[0]!;

export type Files = Map<string, Uint8Array>;

export const goldenDigests = (): string[] => readdirSync(GOLDEN).sort();

export const goldenFiles = (digest: string): Files => filesOf(GOLDEN + digest);

export function filesOf(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = names.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(`${folder}/`.length));
  return new Map(paths.map((path) => [path, new Uint8Array(readFileSync(`${folder}/${path}`))]));
}

export function goldenManifest(files: Files): Manifest {
  const stored = JSON.parse(new TextDecoder().decode(files.get("manifest.json"))) as Parameters<
    typeof servedManifest
  >[0];
  return manifestOf(servedManifest(stored));
}

/** Files of the memory, and the ranges that were read. */
export function memoryFolder(files: Files): SlideFolder & { readonly reads: string[] } {
  const reads: string[] = [];
  const read = (path: string, from: number, to?: number): Uint8Array => {
    const bytes = files.get(path);
    if (!bytes || (to ?? 0) > bytes.length) throw new CorruptError(`${path} is missing or too short`);
    reads.push(`${path} ${from}-${to ?? bytes.length}`);
    return bytes.slice(from, to);
  };
  return {
    name: "memory/",
    reads,
    read: async (path, from, to) => Promise.resolve(read(path, from, to)),
    whole: async (path) => Promise.resolve(read(path, 0)),
  };
}

export function memoryFile(bytes: Uint8Array): RangeFile {
  return {
    name: "slide.wsz",
    size: () => Promise.resolve(bytes.length),
    read: (from, to) =>
      to <= bytes.length
        ? Promise.resolve(bytes.slice(from, to))
        : Promise.reject(new CorruptError(`it ends at byte ${bytes.length}`)),
  };
}

export interface Written {
  readonly bytes: Uint8Array;
  /** Where the list of entries begins. */
  readonly list: number;
}

/** An archive as SH10 to SH12 describe it; `large`: its end and its places as in one beyond 4 GiB. */
export function archiveOf(files: Files, large = false): Written {
  const parts: number[][] = [];
  const list: number[][] = [];
  let at = 0;
  for (const [path, content] of files) {
    const name = [...new TextEncoder().encode(path)];
    const sizes = [...u32(0), ...u32(content.length), ...u32(content.length), ...u16(name.length)];
    const head = [...u16(20), ...u16(0), ...u16(0), ...u32(0), ...sizes];
    parts.push([...u32(0x04034b50), ...head, ...u16(0), ...name], [...content]);
    const extra = large ? [...u16(1), ...u16(8), ...u64(at)] : [];
    const place = large ? u32(0xffffffff) : u32(at);
    const rest = [...u16(extra.length), ...u16(0), ...u16(0), ...u16(0), ...u32(0), ...place];
    list.push([...u32(0x02014b50), ...u16(20), ...head, ...rest, ...name, ...extra]);
    at += 30 + name.length + content.length;
  }
  const size = list.flat().length;
  const counts = [...u16(0), ...u16(0), ...u16(files.size), ...u16(files.size)];
  const end = [...u32(0x06054b50), ...counts, ...u32(size), ...(large ? u32(0xffffffff) : u32(at)), ...u16(0)];
  const record = [...u32(0x06064b50), ...u64(44), ...u16(45), ...u16(45), ...u32(0), ...u32(0)];
  const totals = [...u64(files.size), ...u64(files.size), ...u64(size), ...u64(at)];
  const locator = [...u32(0x07064b50), ...u32(0), ...u64(at + size), ...u32(1)];
  const bytes = [...parts, ...list, ...(large ? [record, totals, locator] : []), end].flat();
  return { bytes: Uint8Array.from(bytes), list: at };
}

const u16 = (value: number): number[] => [value & 255, value >> 8];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];
const u64 = (value: number): number[] => [...u32(value % 2 ** 32), ...u32(Math.floor(value / 2 ** 32))];
