/** The database of one account: answers about slides by their address, and the manifests of the slides that were opened. */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, deleteDB, openDB } from "idb";
import type { StoredEntry } from "./policy";

interface Entry extends StoredEntry {
  /** `/api/v1/slides/{id}` */
  readonly slide: string;
}

interface Body {
  readonly bytes: Uint8Array;
  /** CRC-32C of the bytes. */
  readonly sum: number;
}

export interface StoredManifest {
  /** As the service gave it. */
  readonly document: unknown;
  /** When the service last let the user open the slide, in milliseconds since 1970. */
  readonly checked: number;
}

interface Schema extends DBSchema {
  entries: { key: string; value: Entry; indexes: { used: number; slide: string } };
  bodies: { key: string; value: Body };
  manifests: { key: string; value: StoredManifest };
  total: { key: "bytes"; value: number };
}

export type Database = IDBPDatabase<Schema>;

const PREFIX = "wavescope-slides-";
/** Of the databases that other parts of the page have for an account. */
export const VIEWS = "wavescope-views-";

/** Another tab that deletes it closes it here, too: then everything that is asked of it fails. */
export function openDatabase(principal: string): Promise<Database> {
  return openDB<Schema>(`${PREFIX}${principal}`, 1, {
    upgrade(database) {
      const entries = database.createObjectStore("entries", { keyPath: "key" });
      entries.createIndex("used", "used");
      entries.createIndex("slide", "slide");
      for (const name of ["bodies", "manifests", "total"] as const) database.createObjectStore(name);
    },
    blocking: (_now, _next, event) => (event.target as IDBDatabase).close(),
  });
}

/** Deletes the databases of all accounts but one. */
export async function deleteDatabases(except: string | null = null, kinds = [PREFIX, VIEWS]): Promise<void> {
  const all = (await indexedDB.databases?.()) ?? [];
  const names = all.flatMap(({ name }) =>
    name && kinds.some((kind) => name.startsWith(kind) && name !== kind + (except ?? "")) ? [name] : [],
  );
  await Promise.all(names.map((name) => deleteDB(name)));
}

/** Deletes what is stored of slides, of all accounts. */
export const deleteSlides = (): Promise<void> => deleteDatabases(null, [PREFIX]);

/** Bytes stored. */
export async function totalOf(database: Database): Promise<number> {
  return (await database.get("total", "bytes")) ?? 0;
}

/** Adds answers; the bytes that are stored then. */
export function addBodies(
  database: Database,
  slide: string,
  bodies: ReadonlyMap<string, Body>,
  used: number,
): Promise<number> {
  return together(database, async (change) => {
    const [entries, stored, sums] = [
      change.objectStore("entries"),
      change.objectStore("bodies"),
      change.objectStore("total"),
    ];
    let total = (await sums.get("bytes")) ?? 0;
    for (const [key, body] of bodies) {
      const before = await entries.get(key);
      total += body.bytes.length - (before?.bytes ?? 0);
      observe(entries.put({ key, slide, bytes: body.bytes.length, used }));
      observe(stored.put(body, key));
    }
    observe(sums.put(total, "bytes"));
    return total;
  });
}

/** Deletes entries with what belongs to them. */
export function deleteEntries(database: Database, gone: readonly StoredEntry[]): Promise<void> {
  return together(database, async (change) => {
    const sums = change.objectStore("total");
    let total = (await sums.get("bytes")) ?? 0;
    for (const { key, bytes } of gone) {
      total -= bytes;
      observe(change.objectStore("entries").delete(key));
      observe(change.objectStore("bodies").delete(key));
    }
    observe(sums.put(Math.max(0, total), "bytes"));
  });
}

/** A request that fails fails its transaction, too: the error is handled there. */
export function observe(request: Promise<unknown>): void {
  request.catch(() => undefined);
}

type Change = IDBPTransaction<Schema, ("entries" | "bodies" | "total")[], "readwrite">;

/** All changes of `work`, or none; resolves when they are stored. */
async function together<T>(database: Database, work: (change: Change) => Promise<T>): Promise<T> {
  const change: Change = database.transaction(["entries", "bodies", "total"], "readwrite", { durability: "relaxed" });
  observe(change.done);
  let result: T;
  try {
    result = await work(change);
  } catch (error) {
    abort(change);
    throw error;
  }
  await change.done;
  return result;
}

function abort(change: Change): void {
  try {
    change.abort();
  } catch {
    return; // it was aborted before
  }
}
