/** The overlays of an export (SH34): their list, and tiles of PMTiles archives by ranges, as the service answers them (OV28, OV29). */
import { type Header, SharedPromiseCache, type Source, findTile, zxyToTileId } from "pmtiles";
import { OverlayList as isOverlayList } from "../generated/laterValidators";
import type * as Wire from "../generated/types";
import { checked, parsedJson } from "../http/contract";
import { CorruptError, OfflineError } from "../http/errors";
import type { Fetch } from "../http/http";
import { SlideFileError } from "./errors";
import type { SlideFolder } from "./folder";

const MOST = { list: 4 << 20, part: 64 << 20 };
const DEEPEST = 4;
const TILE = /\/overlays\/([^/]+)\/tiles\/(\d{1,2})\/(\d{1,9})\/(\d{1,9})$/;

/** Answers the list of overlays, and their tiles. Throws ContractError, CorruptError, OfflineError, the caller's abort. */
export function overlaysFrom(folder: SlideFolder): Fetch {
  const cache = new SharedPromiseCache();
  let listed: Promise<Wire.OverlayList> | null = null;
  const list = (): Promise<Wire.OverlayList> => {
    listed ??= listIn(folder);
    listed.catch(() => (listed = null));
    return listed;
  };
  return async (input, init) => {
    const match = TILE.exec(new URL(input, "https://export.invalid").pathname);
    const { overlays } = await list();
    if (!match) return Response.json({ overlays });
    const [level, x, y] = match.slice(2).map(Number) as [number, number, number];
    const overlay = overlays.find(({ id }) => id === decodeURIComponent(match[1]!));
    const signal = init?.signal ?? undefined;
    const side = overlay && level <= overlay.top ? 2 ** (overlay.top - level) : 0;
    const member =
      overlay && x < side && y < side ? await tileOf(folder, cache, overlay, { level, x, y }, signal) : null;
    return new Response(member as Uint8Array<ArrayBuffer> | null, { status: member ? 200 : 204 });
  };
}

async function listIn(folder: SlideFolder): Promise<Wire.OverlayList> {
  const source = `${folder.name} overlays.json`;
  const bytes = await folder.whole("overlays.json", MOST.list);
  return checked(parsedJson(new TextDecoder().decode(bytes), source), isOverlayList, source);
}

/** Null: nothing is there. */
async function tileOf(
  folder: SlideFolder,
  cache: SharedPromiseCache,
  overlay: Wire.OverlayBody,
  { level, x, y }: { readonly level: number; readonly x: number; readonly y: number },
  signal?: AbortSignal,
): Promise<Uint8Array | null> {
  const source = archiveOf(folder, overlay);
  const entry = await entryOf(source, cache, zxyToTileId(overlay.top - level, x, y)).catch((cause: unknown) => {
    // the library throws errors of its own for what is damaged
    const known = cause instanceof OfflineError || cause instanceof CorruptError || cause instanceof SlideFileError;
    throw known ? cause : new CorruptError(`${source.getKey()} is damaged`, { cause });
  });
  return entry && new Uint8Array((await source.getBytes(entry.offset, entry.length, signal)).data);
}

/** Where the bytes of a tile are; null: nothing is there. */
async function entryOf(
  source: Source,
  cache: SharedPromiseCache,
  tile: number,
): Promise<{ readonly offset: number; readonly length: number } | null> {
  const header: Header = await cache.getHeader(source);
  let [offset, length] = [header.rootDirectoryOffset, header.rootDirectoryLength];
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const found = findTile(await cache.getDirectory(source, offset, length, header), tile);
    if (!found) return null;
    if (found.runLength > 0) return { offset: header.tileDataOffset + found.offset, length: found.length };
    [offset, length] = [header.leafDirectoryOffset + found.offset, found.length];
  }
  throw new CorruptError(`${source.getKey()}: directories that are nested too deep`);
}

function archiveOf(folder: SlideFolder, { digest, bytes }: Wire.OverlayBody): Source {
  const path = `overlays/${digest}.pmtiles`;
  return {
    getKey: () => `${folder.name} ${path}`,
    getBytes: async (offset, length, signal) => {
      if (length > MOST.part) throw new CorruptError(`${path}: a part of ${length} bytes`);
      const found = await folder.read(path, offset, Math.min(bytes, offset + length), signal);
      return { data: found.slice().buffer };
    },
  };
}
