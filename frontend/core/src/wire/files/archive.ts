/** The one-file form (SH10 to SH13): where each entry of the archive lies; pure but for `openArchive`. */
import { CorruptError } from "../http/errors";
import { SlideFileError } from "./errors";
import type { RangeFile, SlideFolder } from "./folder";

/** Where the bytes of an entry are in the file. */
export interface Entry {
  readonly offset: number;
  readonly size: number;
}

/** Where the list of entries is in the file. */
export interface ListPlace extends Entry {
  readonly entries: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const END_64 = 0x06064b50;
const END_64_BYTES = 56;
const LOCATOR = 0x07064b50;
const LOCATOR_BYTES = 20;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const EXTRA_64 = 1;
const LARGE = 0xffffffff;
/** Bytes at the end of the file that say where the list is. */
export const TAIL = END_BYTES + LOCATOR_BYTES + END_64_BYTES;
/** Of the list, in bytes: half a million shards. */
export const MOST_LIST = 64 << 20;
const NAME = /^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[\w./-]{1,200}$/;

const malformed = (what: string): SlideFileError => new SlideFileError("malformed", `the archive: ${what}`);

/** Reads the list of entries; every later read is one range. Throws SlideFileError, OfflineError, the caller's abort. */
export async function openArchive(file: RangeFile, signal?: AbortSignal): Promise<SlideFolder> {
  const size = await file.size(signal);
  const from = Math.max(0, size - TAIL);
  const place = listPlace(await file.read(from, size, signal), size);
  const list = await file.read(place.offset, place.offset + place.size, signal);
  return archiveFolder(file, entriesOf(list, place));
}

function archiveFolder(file: RangeFile, entries: ReadonlyMap<string, Entry>): SlideFolder {
  const entryOf = (path: string): Entry => {
    const entry = entries.get(path);
    if (!entry) throw new CorruptError(`${path} is missing in ${file.name}`);
    return entry;
  };
  return {
    name: file.name,
    read: async (path, from, to, signal) => {
      const { offset, size } = entryOf(path);
      if (from < 0 || to > size) throw new CorruptError(`${path}: it has ${size} bytes, ${to} were expected`);
      return file.read(offset + from, offset + to, signal);
    },
    whole: async (path, most, signal) => {
      const { offset, size } = entryOf(path);
      if (size > most) throw new SlideFileError("too-large", `${path}: more than ${most} bytes`);
      return file.read(offset, offset + size, signal);
    },
  };
}

/** Where the list is, from the last bytes of a file of `fileSize` bytes. Throws SlideFileError. */
export function listPlace(tail: Uint8Array, fileSize: number): ListPlace {
  const end = tail.length - END_BYTES;
  const view = viewOf(tail);
  if (end < 0 || view.getUint32(end, true) !== END)
    throw new SlideFileError("malformed", "not an archive of Wavescope, or not all of it");
  if (view.getUint16(end + 20, true) !== 0) throw malformed("it has a comment");
  const place = {
    entries: view.getUint16(end + 10, true),
    size: view.getUint32(end + 12, true),
    offset: view.getUint32(end + 16, true),
  };
  // Python writes the 64-bit fields from 2 GiB on, beside offsets that fit into 32 bits.
  const large = end >= LOCATOR_BYTES && view.getUint32(end - LOCATOR_BYTES, true) === LOCATOR;
  const last = fileSize - END_BYTES - (large ? LOCATOR_BYTES + END_64_BYTES : 0);
  const found = large ? largePlace(view, end - LOCATOR_BYTES, last) : place;
  if (found.size > MOST_LIST) throw new SlideFileError("too-large", `a list of ${found.size} bytes`);
  if (found.offset + found.size !== last || found.entries * ENTRY_BYTES > found.size)
    throw malformed("its list is not where it says");
  return found;
}

function largePlace(view: DataView, locator: number, recordOffset: number): ListPlace {
  const record = locator - END_64_BYTES;
  if (record < 0 || view.getUint32(locator, true) !== LOCATOR || view.getUint32(record, true) !== END_64)
    throw malformed("its end is incomplete");
  if (long(view, locator + 8) !== recordOffset) throw malformed("its end is not where it says");
  return {
    entries: long(view, record + 32),
    size: long(view, record + 40),
    offset: long(view, record + 48),
  };
}

/**
 * The entries by their names. Each begins where the one before ends: so the length of the header before its bytes is known
 * without a read of it (SH12). Throws SlideFileError.
 */
export function entriesOf(list: Uint8Array, place: ListPlace): ReadonlyMap<string, Entry> {
  const view = viewOf(list);
  const found = new Map<string, Entry>();
  let at = 0;
  let expected = 0;
  for (let i = 0; i < place.entries; i += 1) {
    if (at + ENTRY_BYTES > list.length || view.getUint32(at, true) !== ENTRY) throw malformed("its list is damaged");
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const end = at + ENTRY_BYTES + nameBytes + extra + comment;
    if (end > list.length) throw malformed("its list is damaged");
    const name = String.fromCharCode(...list.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
    if (!NAME.test(name) || found.has(name)) throw malformed(`an entry has the name ${JSON.stringify(name)}`);
    if (flags !== 0 || method !== 0) throw malformed(`${name} is compressed or encrypted`);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    if (packed !== size || size === LARGE) throw malformed(`${name} has an impossible size`);
    const extras = at + ENTRY_BYTES + nameBytes;
    const begin = beginOf(view, view.getUint32(at + 42, true), extras, extras + extra);
    if (begin !== expected) throw malformed(`${name} is not where it should be: another program has written it`);
    const offset = begin + LOCAL_BYTES + nameBytes;
    expected = offset + size;
    if (expected > place.offset) throw malformed(`${name} lies outside`);
    found.set(name, { offset, size });
    at = end;
  }
  if (at !== list.length || expected !== place.offset) throw malformed("bytes are left over");
  return found;
}

/** Where an entry's header is: beyond 4 GiB an extra field tells it. */
function beginOf(view: DataView, begin: number, extras: number, end: number): number {
  if (begin !== LARGE) return begin;
  for (let at = extras; at + 4 <= end; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === EXTRA_64 && view.getUint16(at + 2, true) === 8 && at + 12 <= end)
      return long(view, at + 4);
  throw malformed("an entry has no place");
}

/** Unsigned, 64 bits. */
function long(view: DataView, at: number): number {
  const value = view.getUint32(at, true) + 2 ** 32 * view.getUint32(at + 4, true);
  if (!Number.isSafeInteger(value)) throw malformed("a number is too large");
  return value;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
