/**
 * The directories of a TIFF, read by ranges: classic and BigTIFF, in both byte orders. Every count and offset is compared with the file
 * and with a limit before anything is allocated. The twin of backend/src/wavescope/source/tiff/chain.py.
 */
import { SlideFileError } from "../../wire/files/errors";
import type { RangeFile } from "../../wire/files/folder";

/** Of the chain of one file. */
export const MAX_DIRECTORIES = 512;
export const MAX_ENTRIES = 1 << 12;
/** Tiles or strips of one picture: 500,000 x 500,000 pixels have 4 Mi tiles of 256 x 256. */
export const MAX_TILES = 1 << 22;
const MAX_SUB_DIRECTORIES = 64;
/** Of a description, a profile or another tag that is read whole. */
const MAX_BYTES = 16 << 20;

export const TAG = {
  subfileType: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  description: 270,
  make: 271,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripCounts: 279,
  xResolution: 282,
  yResolution: 283,
  planar: 284,
  resolutionUnit: 296,
  software: 305,
  predictor: 317,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileCounts: 325,
  subDirectories: 330,
  sampleFormat: 339,
  jpegTables: 347,
  xmp: 700,
  depth: 32997,
  icc: 34675,
  hamamatsu: 65420,
} as const;

const SIZES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};
const INTEGERS = new Set([1, 3, 4, 13, 16, 18]);
const RATIONAL = 5;

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Where its value is in the file. */
  readonly at: number;
}

export interface Form {
  readonly little: boolean;
  readonly big: boolean;
}

const cutOff = (file: RangeFile): SlideFileError => new SlideFileError("truncated", `${file.name}: it is cut off`);
const damaged = (file: RangeFile, what: string): SlideFileError =>
  new SlideFileError("malformed", `${file.name}: ${what}`);

/** One picture of a TIFF: its tags, whose values are read when they are asked for. */
export class Directory {
  constructor(
    readonly file: RangeFile,
    readonly size: number,
    readonly form: Form,
    private readonly entries: ReadonlyMap<number, Entry>,
  ) {}

  has(tag: number): boolean {
    return this.entries.has(tag);
  }

  count(tag: number): number {
    return this.entries.get(tag)?.count ?? 0;
  }

  /** The values of a tag of whole numbers; none if it is absent. Throws SlideFileError. */
  async integers(tag: number, most: number, signal?: AbortSignal): Promise<Float64Array> {
    const entry = this.entries.get(tag);
    if (!entry) return new Float64Array(0);
    if (!INTEGERS.has(entry.type)) throw damaged(this.file, `its tag ${tag} has no whole numbers`);
    if (entry.count > most)
      throw new SlideFileError("too-large", `${this.file.name}: ${entry.count} values of tag ${tag}`);
    const bytes = await this.bytesOf(entry, signal);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const width = SIZES[entry.type]!;
    return Float64Array.from({ length: entry.count }, (_, i) =>
      integerAt(this.file, view, i * width, width, this.form),
    );
  }

  /** The first value, or `otherwise` if it is absent. */
  async integer(tag: number, otherwise: number, signal?: AbortSignal): Promise<number> {
    return (await this.integers(tag, 16, signal))[0] ?? otherwise;
  }

  async bytes(tag: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    const entry = this.entries.get(tag);
    return entry ? this.bytesOf(entry, signal) : null;
  }

  /** A text in UTF-8; empty if it is absent. */
  async text(tag: number, signal?: AbortSignal): Promise<string> {
    const bytes = await this.bytes(tag, signal);
    return bytes ? new TextDecoder().decode(bytes).replace(/\0[^]*$/, "") : "";
  }

  /** A fraction; null if it is absent or none. */
  async fraction(tag: number, signal?: AbortSignal): Promise<number | null> {
    const entry = this.entries.get(tag);
    if (entry?.type !== RATIONAL || entry.count !== 1) return null;
    const bytes = await this.bytesOf(entry, signal);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const below = view.getUint32(4, this.form.little);
    return below ? view.getUint32(0, this.form.little) / below : null;
  }

  private bytesOf({ type, count, at }: Entry, signal?: AbortSignal): Promise<Uint8Array> {
    const length = (SIZES[type] ?? 1) * count;
    if (length > Math.max(MAX_BYTES, 8 * MAX_TILES))
      throw new SlideFileError("too-large", `${this.file.name}: a tag of ${length} bytes`);
    return readRange(this.file, this.size, at, length, signal);
  }
}

/** All pictures that the file names in its chain. Throws SlideFileError, OfflineError, the caller's abort. */
export async function readDirectories(file: RangeFile, signal?: AbortSignal): Promise<Directory[]> {
  const size = await file.size(signal);
  if (size === 0) throw damaged(file, "it is empty");
  const head = await file.read(0, Math.min(16, size), signal);
  const form = formOf(file, head);
  const first = form.big ? 8 : 4;
  const width = form.big ? 8 : 4;
  if (head.length < first + width) throw cutOff(file);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const directories = await chain(file, size, form, integerAt(file, view, first, width, form), signal);
  if (directories.length === 0) throw damaged(file, "a TIFF without pictures");
  return directories;
}

/** The reduced pictures of one picture. Throws as `readDirectories`. */
export async function readSubDirectories(of: Directory, signal?: AbortSignal): Promise<Directory[]> {
  const found: Directory[] = [];
  for (const offset of await of.integers(TAG.subDirectories, MAX_SUB_DIRECTORIES, signal))
    found.push((await readDirectory(of.file, of.size, of.form, offset, signal)).directory);
  return found;
}

/** Throws SlideFileError if the file ends before a tile or strip of a picture: then it is not all of the file. */
export async function checkWhole(directory: Directory, signal?: AbortSignal): Promise<void> {
  for (const [at, of] of [
    [TAG.tileOffsets, TAG.tileCounts],
    [TAG.stripOffsets, TAG.stripCounts],
  ] as const) {
    const offsets = await directory.integers(at, MAX_TILES, signal);
    const counts = await directory.integers(of, MAX_TILES, signal);
    if (offsets.some((offset, i) => offset + (counts[i] ?? 0) > directory.size)) throw cutOff(directory.file);
  }
}

/** Whether a file that begins so calls itself a TIFF. */
export function isTiff(head: Uint8Array): boolean {
  const magic = String.fromCharCode(...head.subarray(0, 4));
  return ["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(magic);
}

function formOf(file: RangeFile, head: Uint8Array): Form {
  if (!isTiff(head)) throw new SlideFileError("unsupported", `${file.name}: no TIFF`);
  const little = head[0] === 0x49;
  return { little, big: head[little ? 2 : 3] === 0x2b };
}

async function chain(
  file: RangeFile,
  size: number,
  form: Form,
  first: number,
  signal?: AbortSignal,
): Promise<Directory[]> {
  const seen = new Set<number>();
  const found: Directory[] = [];
  for (let offset = first; offset !== 0; ) {
    if (seen.has(offset)) throw damaged(file, "its directories form a loop");
    if (seen.size >= MAX_DIRECTORIES)
      throw new SlideFileError("too-large", `${file.name}: more than ${MAX_DIRECTORIES} pictures`);
    seen.add(offset);
    const { directory, next } = await readDirectory(file, size, form, offset, signal);
    found.push(directory);
    if (directory.has(TAG.hamamatsu)) break; // its offsets do not follow the rules of TIFF
    offset = next;
  }
  return found;
}

async function readDirectory(file: RangeFile, size: number, form: Form, offset: number, signal?: AbortSignal) {
  const [numberWidth, offsetWidth, entryWidth] = form.big ? [8, 8, 20] : [2, 4, 12];
  const number = await readRange(file, size, offset, numberWidth, signal);
  const entries = integerAt(file, viewOf(number), 0, numberWidth, form);
  if (entries < 1 || entries > MAX_ENTRIES) throw damaged(file, `a directory has ${entries} entries`);
  const start = offset + numberWidth;
  const table = await readRange(file, size, start, entries * entryWidth + offsetWidth, signal);
  const view = viewOf(table);
  const tags = new Map<number, Entry>();
  for (let i = 0; i < entries; i += 1) {
    const at = i * entryWidth;
    const type = view.getUint16(at + 2, form.little);
    const count = integerAt(file, view, at + 4, offsetWidth, form);
    const value = at + 4 + offsetWidth;
    const inline = (SIZES[type] ?? 1) * count <= offsetWidth;
    const place = inline ? start + value : integerAt(file, view, value, offsetWidth, form);
    tags.set(view.getUint16(at, form.little), { type, count, at: place });
  }
  const next = integerAt(file, view, entries * entryWidth, offsetWidth, form);
  return { directory: new Directory(file, size, form, tags), next };
}

/** Bytes that lie inside the file. */
async function readRange(
  file: RangeFile,
  size: number,
  from: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (from + length > size) throw cutOff(file);
  return file.read(from, from + length, signal);
}

/** Unsigned, of 1, 2, 4 or 8 bytes. */
function integerAt(file: RangeFile, view: DataView, at: number, width: number, { little }: Form): number {
  if (width === 1) return view.getUint8(at);
  if (width === 2) return view.getUint16(at, little);
  if (width === 4) return view.getUint32(at, little);
  const value = Number(view.getBigUint64(at, little));
  if (!Number.isSafeInteger(value)) throw damaged(file, "a number is too large");
  return value;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
