import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Database, addBodies, deleteEntries, openDatabase, totalOf } from "./database";

const KB = 1024;
// eslint-disable-next-line @typescript-eslint/unbound-method -- called on its store below
const put = IDBObjectStore.prototype.put;
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
let database: Database;

const add = (...names: readonly string[]): Promise<number> =>
  addBodies(database, "s", new Map(names.map((name) => [name, { bytes: new Uint8Array(KB), sum: 0 }])), 1);

const everything = async (): Promise<unknown> => [
  await database.getAllKeys("entries"),
  await database.getAllKeys("bodies"),
  await totalOf(database),
];

/** Calls `meddle` after the given number of puts. */
function after(puts: number, meddle: (store: IDBObjectStore) => void): void {
  let left = puts;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
    this: IDBObjectStore,
    ...given: Parameters<typeof put>
  ) {
    const request = put.apply(this, given);
    if (--left === 0) meddle(this);
    return request;
  });
}

beforeEach(async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  unhandled.length = 0;
  process.on("unhandledRejection", note);
  database = await openDatabase("a");
});

afterEach(() => {
  process.off("unhandledRejection", note);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  database.close();
});

it.each([1, 2, 3, 5])(
  "an aborted transaction changes nothing and leaves no rejection without a handler: put %i (PG20)",
  async (puts) => {
    await add("a");
    after(puts, (store) => store.transaction.abort());
    await expect(add("b", "c")).rejects.toThrow();
    await new Promise((resolve) => setImmediate(resolve)); // a rejection without a handler is reported by then
    expect(unhandled).toEqual([]);
    expect(await everything()).toEqual([["a"], ["a"], KB]);
  },
);

it("a write that fails at once takes back those before it (PG20)", async () => {
  await add("a");
  after(2, () => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await expect(add("b")).rejects.toThrow("full");
  expect(await everything()).toEqual([["a"], ["a"], KB]);
});

it("entries are deleted with their bytes (PG21)", async () => {
  await add("a", "b");
  await deleteEntries(database, [(await database.get("entries", "a"))!]);
  expect(await everything()).toEqual([["b"], ["b"], KB]);
});
