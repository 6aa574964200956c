/** The parts of a browser's page that stores and the router use, for tests: address, history, events and storage. */
import { vi } from "vitest";

interface Entry {
  readonly state: unknown;
  readonly url: URL;
}

class FakeStorage {
  private readonly items = new Map<string, string>();
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.items.set(key, value);
  removeItem = (key: string): void => void this.items.delete(key);
}

const ORIGIN = "http://page.test";

export class FakePage {
  readonly localStorage = new FakeStorage();
  readonly sessionStorage = new FakeStorage();
  /** Entries of the history that were made or replaced, in order: `push /a`, `replace /b`. */
  readonly writes: string[] = [];
  private entries: Entry[];
  private at = 0;
  private readonly events = new EventTarget();

  constructor(address: string) {
    this.entries = [{ state: null, url: new URL(address, ORIGIN) }];
  }

  /** Path, query and hash of the address bar. */
  get address(): string {
    const { pathname, search, hash } = this.entries[this.at]!.url;
    return pathname + search + hash;
  }

  get state(): unknown {
    return this.entries[this.at]!.state;
  }

  get length(): number {
    return this.entries.length;
  }

  /** The back button. */
  back(): void {
    this.at = Math.max(0, this.at - 1);
    this.raise("popstate");
  }

  raise(name: string): void {
    this.events.dispatchEvent(new Event(name));
  }

  /** Replaces the globals; undo it with `vi.unstubAllGlobals()`. */
  install(): this {
    const url = (): URL => this.entries[this.at]!.url;
    vi.stubGlobal("location", {
      get origin() {
        return ORIGIN;
      },
      get pathname() {
        return url().pathname;
      },
      get search() {
        return url().search;
      },
      get hash() {
        return url().hash;
      },
    });
    const entry = (state: unknown, address: string): Entry => ({ state, url: new URL(address, url()) });
    const page = (): unknown => this.state;
    vi.stubGlobal("history", {
      get state() {
        return page();
      },
      pushState: (state: unknown, _: string, address: string) => {
        this.entries = [...this.entries.slice(0, this.at + 1), entry(state, address)];
        this.at += 1;
        this.writes.push(`push ${this.address}`);
      },
      replaceState: (state: unknown, _: string, address: string) => {
        this.entries[this.at] = entry(state, address);
        this.writes.push(`replace ${this.address}`);
      },
      back: () => this.back(),
    });
    vi.stubGlobal("addEventListener", this.events.addEventListener.bind(this.events));
    vi.stubGlobal("removeEventListener", this.events.removeEventListener.bind(this.events));
    vi.stubGlobal("dispatchEvent", this.events.dispatchEvent.bind(this.events));
    vi.stubGlobal("localStorage", this.localStorage);
    vi.stubGlobal("sessionStorage", this.sessionStorage);
    return this;
  }
}

/** A page at this address, in place of the globals. */
export const openPage = (address = "/"): FakePage => new FakePage(address).install();

/** A browser that forbids storage: reading it throws. */
export function forbidStorage(): void {
  const forbidden = (): never => {
    throw new DOMException("denied", "SecurityError");
  };
  const storage = { getItem: forbidden, setItem: forbidden, removeItem: forbidden };
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", storage);
}
