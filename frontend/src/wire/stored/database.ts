/** The database of one account: answers about slides by their address, and the manifests of the slides that were opened. */
import { type DBSchema, type IDBPDatabase, deleteDB, openDB } from "idb";
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
export async function deleteDatabases(except: string | null = null): Promise<void> {
  const all = (await indexedDB.databases?.()) ?? [];
  const names = all.flatMap(({ name }) => (name?.startsWith(PREFIX) && name !== `${PREFIX}${except}` ? [name] : []));
  await Promise.all(names.map((name) => deleteDB(name)));
}

/** Bytes stored. */
export async function totalOf(database: Database): Promise<number> {
  return (await database.get("total", "bytes")) ?? 0;
}

/** Adds answers. Their entries and bytes are written together, or not at all. */
export async function addBodies(
  database: Database,
  slide: string,
  bodies: ReadonlyMap<string, Body>,
  used: number,
): Promise<number> {
  const change = database.transaction(["entries", "bodies", "total"], "readwrite", { durability: "relaxed" });
  const [entries, stored, sums] = [
    change.objectStore("entries"),
    change.objectStore("bodies"),
    change.objectStore("total"),
  ];
  let total = (await sums.get("bytes")) ?? 0;
  for (const [key, body] of bodies) {
    const before = await entries.get(key);
    total += body.bytes.length - (before?.bytes ?? 0);
    void entries.put({ key, slide, bytes: body.bytes.length, used });
    void stored.put(body, key);
  }
  void sums.put(total, "bytes");
  await change.done;
  return total;
}

/** Deletes entries with what belongs to them. */
export async function deleteEntries(database: Database, gone: readonly StoredEntry[]): Promise<void> {
  const change = database.transaction(["entries", "bodies", "total"], "readwrite", { durability: "relaxed" });
  const sums = change.objectStore("total");
  let total = (await sums.get("bytes")) ?? 0;
  for (const { key, bytes } of gone) {
    total -= bytes;
    void change.objectStore("entries").delete(key);
    void change.objectStore("bodies").delete(key);
  }
  void sums.put(Math.max(0, total), "bytes");
  await change.done;
}
