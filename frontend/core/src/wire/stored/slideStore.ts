/**
 * What this browser stores of slides across visits, for one account at a time (PG20 to PG25). Storing is never needed: whatever fails
 * here (no IndexedDB, a full disk, another tab that cleared it) is as if nothing were stored.
 */
import { crc32c } from "./crc32c";
import {
  type Database,
  type StoredManifest,
  addBodies,
  deleteDatabases,
  deleteEntries,
  deleteSlides,
  observe,
  openDatabase,
  totalOf,
} from "./database";
import { BUDGETS, DEFAULT_BUDGET, USE_STEP, allowedBytes, evicted, mayShowOffline } from "./policy";

const ACCOUNT = "wavescope.storedFor";
const BUDGET = "wavescope.storedBytes";
/** The slides of which anything may be stored, in JSON: what says at once that of another one nothing is. */
const SLIDES = "wavescope.storedSlides";
/** Milliseconds for which answers are collected before they are written together. */
const COLLECTED = 400;
/** Entries that one step of eviction looks at. */
const STEP = 1000;

/** Responses below one address of a slide version. */
export interface StoredResponses {
  /** In the order of the names; null for what is not stored. */
  read(names: readonly string[]): Promise<readonly (Uint8Array | null)[]>;
  write(name: string, bytes: Uint8Array): void;
}

class SlideStore {
  /** Whose store it is; until the service has confirmed it in this visit, the account of the last visit. */
  private principal: string | null = remembered(ACCOUNT);
  private confirmed = false;
  private opened: Promise<Database | null> | null = null;
  private pending = new Map<string, Map<string, { bytes: Uint8Array; sum: number }>>();
  private allowed = new Map<string, StoredManifest>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private lookup: { readonly id: string; readonly known: Promise<boolean | null> } | null = null;

  /** Null: nobody's, and nothing is kept here. */
  get owner(): string | null {
    return this.principal;
  }

  /** The service has said who the user is. What was stored for anyone else is deleted. */
  async confirm(principal: string | null): Promise<void> {
    if (this.confirmed && principal === this.principal) return;
    if (this.confirmed) this.dropPending(); // what came before this visit's first answer is this user's
    if (principal !== this.principal) await this.close();
    this.principal = principal;
    this.confirmed = true;
    remember(ACCOUNT, principal);
    await deleteDatabases(principal).catch(() => undefined);
    await this.list();
    this.writeSoon();
  }

  /** Deletes everything, for all accounts. Nothing is stored until `confirm`. */
  async signedOut(): Promise<void> {
    this.dropPending();
    await this.confirm(null);
    this.confirmed = false;
  }

  /** Deletes what is stored; storing goes on. */
  async clear(): Promise<void> {
    this.dropPending();
    await this.close();
    await deleteSlides().catch(() => undefined);
  }

  async manifest(id: string): Promise<unknown> {
    const stored = await this.attempt((database) => database.get("manifests", id));
    return stored && mayShowOffline(stored.checked, Date.now()) ? stored.document : null;
  }

  /** The service lets the user open the slide. */
  async allow(id: string, document: unknown): Promise<void> {
    if (!this.storing) return;
    this.allowed.set(id, { document, checked: Date.now() });
    if (this.confirmed) await this.flush();
  }

  /** The service does not let the user open the slide, or it is gone. */
  async forget(id: string): Promise<void> {
    this.pending.delete(slideOf(id));
    this.allowed.delete(id);
    await this.attempt(async (database) => {
      await database.delete("manifests", id);
      await deleteEntries(database, await database.getAllFromIndex("entries", "slide", slideOf(id)));
    });
  }

  /** A slide is about to be opened: looks whether anything of it is stored, while its manifest is on its way. Null: not known. */
  lookUp(id: string): Promise<boolean | null> {
    const listed = remembered(SLIDES)?.includes(JSON.stringify(id));
    if (this.lookup?.id !== id) this.lookup = { id, known: listed === false ? Promise.resolve(false) : this.knows(id) };
    return this.lookup.known;
  }

  /** Of the slide version at this address, `/api/v1/slides/{id}/v/{digest}`. */
  responses(id: string, address: string): StoredResponses {
    const prefix = `${address}/`;
    const known = this.lookup?.id === id ? this.lookup.known : this.knows(id);
    this.lookup = null;
    return {
      read: async (names) => ((await known) ? this.read(names.map((name) => prefix + name)) : names.map(() => null)),
      write: (name, bytes) => this.write(slideOf(id), prefix + name, bytes),
    };
  }

  get budget(): number {
    const chosen = Number(remembered(BUDGET) ?? DEFAULT_BUDGET);
    return BUDGETS.includes(chosen) ? chosen : DEFAULT_BUDGET;
  }

  async setBudget(bytes: number): Promise<void> {
    remember(BUDGET, String(bytes));
    await this.attempt(async (database) => this.evict(database, await totalOf(database)));
  }

  async used(): Promise<number> {
    return (await this.attempt(totalOf)) ?? 0;
  }

  private knows(id: string): Promise<boolean | null> {
    const prefix = `${slideOf(id)}/`;
    return this.attempt(async (database) => {
      return (await database.getKey("entries", IDBKeyRange.bound(prefix, `${prefix}\uffff`))) !== undefined;
    });
  }

  private get storing(): boolean {
    return this.budget > 0 && (this.principal !== null || !this.confirmed);
  }

  private async read(keys: readonly string[]): Promise<(Uint8Array | null)[]> {
    const bodies = await this.attempt(async (database) => {
      const { store, done } = database.transaction("bodies");
      observe(done);
      return Promise.all(keys.map((key) => store.get(key)));
    });
    const found = keys.map((_, i) => {
      const body = bodies?.[i];
      return body && crc32c(body.bytes) === body.sum ? body.bytes : null;
    });
    void this.markUsed(keys.filter((_, i) => found[i]));
    return found;
  }

  private async markUsed(keys: readonly string[]): Promise<void> {
    const now = Date.now();
    await this.attempt(async (database) => {
      const { store, done } = database.transaction("entries", "readwrite", { durability: "relaxed" });
      observe(done);
      for (const entry of await Promise.all(keys.map((key) => store.get(key))))
        if (entry && now - entry.used > USE_STEP) observe(store.put({ ...entry, used: now }));
    });
  }

  private write(slide: string, key: string, bytes: Uint8Array): void {
    if (!this.storing) return;
    const bodies = this.pending.get(slide) ?? new Map<string, { bytes: Uint8Array; sum: number }>();
    this.pending.set(slide, bodies.set(key, { bytes, sum: 0 }));
    if (this.confirmed) this.writeSoon();
  }

  private writeSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.flush();
    }, COLLECTED);
  }

  private async flush(): Promise<void> {
    const [pending, allowed] = [this.pending, this.allowed];
    this.dropPending();
    for (const [id, manifest] of allowed) await this.attempt((database) => database.put("manifests", manifest, id));
    if (allowed.size > 0) await this.list();
    for (const [slide, bodies] of pending)
      await this.attempt(async (database) => {
        for (const body of bodies.values()) body.sum = crc32c(body.bytes);
        await this.evict(database, await addBodies(database, slide, bodies, Date.now()));
      });
  }

  private async list(): Promise<void> {
    const listed = await this.attempt((database) => database.getAllKeys("manifests"));
    if (listed) remember(SLIDES, JSON.stringify(listed));
  }

  private async evict(database: Database, total: number): Promise<void> {
    const budget = allowedBytes(this.budget, await quota());
    for (let left = total; left > budget; ) {
      const oldest = await database.getAllFromIndex("entries", "used", null, STEP);
      const gone = evicted(oldest, left, budget);
      if (gone.length === 0) return;
      await deleteEntries(database, gone);
      left -= gone.reduce((sum, { bytes }) => sum + bytes, 0);
    }
  }

  private async attempt<T>(work: (database: Database) => Promise<T>): Promise<T | null> {
    if (this.principal === null) return null;
    try {
      this.opened ??= openDatabase(this.principal);
      const database = await this.opened;
      return database && (await work(database));
    } catch {
      this.opened = null; // the next attempt opens it anew
      return null;
    }
  }

  private dropPending(): void {
    this.pending = new Map();
    this.allowed = new Map();
  }

  private async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    remember(SLIDES, null);
    (await opened?.catch(() => null))?.close();
  }
}

const slideOf = (id: string): string => `/api/v1/slides/${encodeURIComponent(id)}`;

/** What the browser grants this site; undefined where it does not say. */
async function quota(): Promise<number | undefined> {
  try {
    return (await navigator.storage.estimate()).quota;
  } catch {
    return undefined;
  }
}

function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    return; // a browser that forbids storage
  }
}

export const slideStore = new SlideStore();
