import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { servedManifest } from "../testing";
import { type Database, deleteDatabases, openDatabase, totalOf } from "./database";
import { DEFAULT_BUDGET, OFFLINE_FOR } from "./policy";
import type { slideStore as Store } from "./slideStore";

const ADDRESS = "/api/v1/slides/s/v/d";
const KB = 1024;
const START = 1_000_000_000_000;

/** The store of a page that was opened just now: each visit has a module of its own. */
async function visit(): Promise<typeof Store> {
  vi.resetModules();
  return (await import("./slideStore")).slideStore;
}

/** A visit of the user `a`. */
async function opened(): Promise<typeof Store> {
  const store = await visit();
  await store.confirm("a");
  return store;
}

/** Writes answers of one KB each, and waits until they are stored. */
async function write(store: typeof Store, names: readonly string[], slide = "s"): Promise<void> {
  const responses = store.responses(slide, ADDRESS.replace("/s/", `/${slide}/`));
  for (const name of names) responses.write(name, bytesOf(name));
  await vi.advanceTimersByTimeAsync(1000);
  await settled(store);
}

const bytesOf = (name: string): Uint8Array => new Uint8Array(KB).fill(name.charCodeAt(0));

/** Everything that was begun has reached the database. */
async function settled(store: typeof Store): Promise<void> {
  await store.used();
  await vi.advanceTimersByTimeAsync(0);
  await store.used();
}

const read = (store: typeof Store, names: readonly string[], slide = "s") =>
  store.responses(slide, ADDRESS.replace("/s/", `/${slide}/`)).read(names);

const stored = async (store: typeof Store, names: readonly string[], slide = "s") =>
  (await read(store, names, slide)).map((one) => one !== null);

async function within<T>(work: (database: Database) => Promise<T>, principal = "a"): Promise<T> {
  const database = await openDatabase(principal);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/** What the user chose, which is not one of the choices of the page: small enough for a test. */
function choose(bytes: number): void {
  vi.doMock("./policy", async (original) => ({
    ...(await original<typeof import("./policy")>()),
    BUDGETS: [0, bytes],
    DEFAULT_BUDGET: bytes,
  }));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: START });
  vi.stubGlobal("indexedDB", new IDBFactory());
  const texts = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
    removeItem: (name: string) => void texts.delete(name),
  });
});

afterEach(() => {
  vi.doUnmock("./policy");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("answers of a slide version", () => {
  it("are there at the next visit of the same user (PG20)", async () => {
    await write(await opened(), ["a", "b"]);
    const store = await opened();
    expect(await read(store, ["b", "c", "a"])).toEqual([bytesOf("b"), null, bytesOf("a")]);
    expect(await store.used()).toBe(2 * KB);
    await write(store, ["a"]);
    expect(await store.used()).toBe(2 * KB);
  });

  it("are as if they were not stored where their bytes have changed (PG20)", async () => {
    const store = await opened();
    await write(store, ["a", "b"]);
    await within(async (database) => {
      const body = (await database.get("bodies", `${ADDRESS}/a`))!;
      body.bytes[7]! ^= 1;
      await database.put("bodies", body, `${ADDRESS}/a`);
    });
    expect(await stored(store, ["a", "b"])).toEqual([false, true]);
    await write(store, ["a"]);
    expect(await stored(store, ["a", "b"])).toEqual([true, true]);
  });

  it("are as if they were not stored where a part of the database is lost (PG20)", async () => {
    const store = await opened();
    await write(store, ["a", "b"]);
    await within((database) => database.delete("bodies", `${ADDRESS}/a`));
    expect(await stored(store, ["a", "b"])).toEqual([false, true]);
  });
});

describe("the budget", () => {
  it("holds: what was used least recently goes first, down to nine tenths (PG21)", async () => {
    choose(10 * KB);
    const store = await opened();
    await write(store, ["a", "b", "c", "d", "e"]);
    vi.setSystemTime(START + 2 * 3600_000);
    await read(store, ["a"]); // used, although it came first
    await settled(store);
    await write(store, ["f", "g", "h", "i", "j"]);
    expect(await store.used()).toBe(10 * KB);
    vi.setSystemTime(START + 4 * 3600_000);
    await write(store, ["k"]);
    expect(await store.used()).toBe(9 * KB);
    expect(await stored(store, ["a", "f", "k"])).toEqual([true, true, true]);
    expect((await stored(store, ["b", "c", "d", "e"])).filter((one) => !one)).toHaveLength(2);
  });

  it("holds under ten times as much (PG21)", async () => {
    choose(10 * KB);
    const store = await opened();
    for (let round = 0; round < 10; round += 1) {
      vi.setSystemTime(START + round * 1000);
      await write(
        store,
        Array.from({ length: 10 }, (_, one) => `${round}-${one}`),
      );
      expect(await store.used()).toBeLessThanOrEqual(10 * KB);
    }
    expect(await within(async (database) => (await database.getAllKeys("bodies")).length)).toBeLessThanOrEqual(10);
  });

  it("is at most half of what the browser grants (PG21)", async () => {
    vi.stubGlobal("navigator", { storage: { estimate: () => Promise.resolve({ quota: 8 * KB }) } });
    const store = await opened();
    expect(store.budget).toBe(DEFAULT_BUDGET);
    await write(store, ["a", "b", "c", "d", "e", "f"]);
    expect(await store.used()).toBeLessThanOrEqual(4 * KB);
  });

  it("holds where the browser does not say what it grants (PG21)", async () => {
    vi.stubGlobal("navigator", { storage: { estimate: () => Promise.reject(new TypeError("not here")) } });
    choose(10 * KB);
    const store = await opened();
    await write(store, Array.from("abcdefghijkl"));
    expect(await store.used()).toBeLessThanOrEqual(10 * KB);
  });

  it("of nothing deletes what is stored and stores nothing (PG21)", async () => {
    const store = await opened();
    await write(store, ["a"]);
    await store.setBudget(0);
    expect(await store.used()).toBe(0);
    await write(store, ["b"]);
    expect(await stored(store, ["a", "b"])).toEqual([false, false]);
  });
});

describe("what belongs to an account", () => {
  it("is deleted when the user signs out, and nothing is stored until someone is known (PG22)", async () => {
    const store = await opened();
    await write(store, ["a"]);
    await store.allow("s", servedManifest());
    store.responses("s", ADDRESS).write("b", bytesOf("b")); // not written yet
    await store.signedOut();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await indexedDB.databases()).toEqual([]);
    await write(store, ["c"]);
    expect(await indexedDB.databases()).toEqual([]);
    await store.confirm("b");
    expect(await stored(store, ["a", "b"])).toEqual([false, false]);
    expect(await store.manifest("s")).toBe(null);
  });

  it("is deleted when the service names another user or none (PG22)", async () => {
    for (const next of ["b", null]) {
      await write(await opened(), ["a"]);
      expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(["wavescope-slides-a"]);
      const store = await visit();
      await store.confirm(next);
      expect(await stored(store, ["a"])).toEqual([false]);
      expect((await indexedDB.databases()).filter(({ name }) => name === "wavescope-slides-a")).toEqual([]);
    }
  });

  it("that waits to be written is not written for another user (PG22)", async () => {
    const store = await opened();
    store.responses("s", ADDRESS).write("a", bytesOf("a"));
    await store.confirm("b");
    await vi.advanceTimersByTimeAsync(1000);
    await settled(store);
    expect(await store.used()).toBe(0);
  });

  it("is not written before the service has said who the user is (PG22)", async () => {
    const store = await visit();
    await write(store, ["a"]);
    await store.allow("s", servedManifest());
    expect(await indexedDB.databases()).toEqual([]);
    await store.confirm("a");
    await vi.advanceTimersByTimeAsync(1000);
    await settled(store);
    expect(await stored(store, ["a"])).toEqual([true]);
    expect(await store.manifest("s")).toMatchObject({ id: "s" });
  });
});

describe("a slide", () => {
  it("that the service refuses is deleted with everything of it, and no other one (PG23)", async () => {
    const store = await opened();
    for (const slide of ["s", "t"]) {
      await store.allow(slide, servedManifest({ id: slide }));
      await write(store, ["a"], slide);
    }
    await store.forget("s");
    expect(await store.manifest("s")).toBe(null);
    expect([await stored(store, ["a"], "s"), await stored(store, ["a"], "t")]).toEqual([[false], [true]]);
    expect(await store.used()).toBe(KB);
    expect(await store.manifest("t")).toMatchObject({ id: "t" });
  });

  it("is shown without the service for a day (PG24)", async () => {
    const store = await opened();
    await store.allow("s", servedManifest());
    vi.setSystemTime(START + OFFLINE_FOR);
    expect(await store.manifest("s")).toMatchObject({ id: "s" });
    vi.setSystemTime(START + OFFLINE_FOR + 1);
    expect(await store.manifest("s")).toBe(null);
  });
});

describe("where storing fails", () => {
  it("a full disk loses the write and nothing else, and later ones are stored (PG20)", async () => {
    const store = await opened();
    await write(store, ["a"]);
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await write(store, ["b"]);
    full.mockRestore();
    expect(await stored(store, ["a", "b"])).toEqual([true, false]);
    expect(await store.used()).toBe(KB);
    await write(store, ["c"]);
    expect(await stored(store, ["a", "b", "c"])).toEqual([true, false, true]);
    expect(await within(totalOf)).toBe(2 * KB);
  });

  it("a browser without IndexedDB or local storage works as without the store (PG20)", async () => {
    const refuse = () => {
      throw new DOMException("forbidden", "SecurityError");
    };
    vi.stubGlobal("indexedDB", { open: refuse, databases: refuse, deleteDatabase: refuse });
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
    const store = await opened();
    await write(store, ["a"]);
    expect(await stored(store, ["a"])).toEqual([false]);
    expect(await store.manifest("s")).toBe(null);
    await store.signedOut();
    await store.clear();
  });

  it("a database that another tab has deleted is opened anew (PG20)", async () => {
    const store = await opened();
    await write(store, ["a"]);
    await deleteDatabases();
    await write(store, ["b"]); // fails
    await write(store, ["c"]);
    expect(await stored(store, ["a", "c"])).toEqual([false, true]);
  });
});

describe("whether anything of a slide is stored", () => {
  /** A visit in which nothing may wait for the database. */
  async function asked(id: string): Promise<readonly [boolean | null, boolean]> {
    const opening = vi.spyOn(indexedDB, "open");
    const store = await visit();
    const known = await store.lookUp(id);
    const waited = opening.mock.calls.length > 0;
    opening.mockRestore();
    return [known, waited];
  }

  it("is known at once where it is not, and else looked up (WI142)", async () => {
    const store = await opened();
    await store.allow("s", servedManifest());
    await write(store, ["blocks/a"]);
    expect(await asked("other")).toEqual([false, false]);
    expect(await asked("s")).toEqual([true, true]);
  });

  it("is looked up after everything was deleted, and known of another user", async () => {
    const store = await opened();
    await store.allow("s", servedManifest());
    await write(store, ["blocks/a"]);
    await store.clear();
    expect(await asked("other")).toEqual([false, true]);
    const again = await opened();
    await again.allow("s", servedManifest());
    await (await visit()).confirm("b");
    expect(localStorage.getItem("wavescope.storedSlides")).toBe("[]");
  });
});
