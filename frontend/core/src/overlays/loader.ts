/** Has the tiles that views need fetched and decoded, a few at a time, and stores them within a budget (overlays.md, OV41, OV44). */
import { ByteLru } from "../codec/byteLru";
import { isAbort, mayRecover } from "../wire/http/errors";
import { keyOf, placeOf } from "./plan";
import type { TilePlace } from "./tile";

/** What came of a tile: bytes of the wire, 0 where nothing is stored, and in memory, null where it is damaged. */
export interface Loaded {
  readonly received: number;
  readonly bytes: number | null;
}

export interface LoaderPorts {
  /** Fetches and decodes. What is cancelled may be loaded all the same. */
  load(place: TilePlace, signal: AbortSignal): Promise<Loaded>;
  /** The tile is not needed any more. */
  forget(key: string): void;
  /** Another tile is here, or cannot be had. */
  changed(): void;
  /** Calls after a while. */
  later(work: () => void, milliseconds: number): void;
}

const AT_A_TIME = 6;
const RETRY_MILLISECONDS = 4000;
/** Of a tile that has nothing. */
const SMALL = 200;

interface Stored {
  readonly key: string;
  readonly state: "here" | "empty" | "damaged";
}

export class TileLoader {
  private readonly stored: ByteLru<Stored>;
  private readonly running = new Map<string, AbortController>();
  private readonly failed = new Set<string>();
  private wanted: readonly string[] = [];
  private closed = false;
  /** Bytes that came over the wire. */
  received = 0;
  /** Why a tile cannot be had, where asking again does not help. */
  refusal: unknown = null;

  constructor(
    private readonly ports: LoaderPorts,
    budget: number | (() => number),
  ) {
    this.stored = new ByteLru<Stored>(budget, ({ key, state }) => {
      if (state === "here") ports.forget(key);
    });
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.stored.bytes;
  }

  /** Keys of tiles that are damaged. */
  get damaged(): readonly string[] {
    return this.wanted.filter((key) => this.stored.peek(key)?.state === "damaged");
  }

  /** Whether nothing more comes for what is wanted. */
  get complete(): boolean {
    return this.wanted.every((key) => this.stored.has(key));
  }

  stateOf(key: string): "here" | "empty" | "missing" {
    const state = this.stored.peek(key)?.state;
    return state === undefined ? "missing" : state === "here" ? "here" : "empty";
  }

  /** From now on these tiles are needed, in this order; what was requested for a view before and is not needed any more is cancelled. */
  want(tiles: readonly TilePlace[]): void {
    this.wanted = tiles.map(keyOf);
    for (const key of this.wanted) this.stored.get(key); // counts as use
    const needed = new Set(this.wanted);
    for (const [key, control] of this.running) if (!needed.has(key)) control.abort();
    this.pump();
  }

  /** Asks again for what could not be had. */
  retry(): void {
    this.failed.clear();
    this.pump();
  }

  close(): void {
    this.closed = true;
    for (const control of this.running.values()) control.abort();
  }

  private pump(): void {
    for (const key of this.wanted) {
      if (this.closed || this.running.size >= AT_A_TIME) return;
      const isKnown = this.stored.has(key) || this.running.has(key) || this.failed.has(key);
      if (!isKnown) void this.load(key);
    }
  }

  private async load(key: string): Promise<void> {
    const control = new AbortController();
    this.running.set(key, control);
    try {
      const { received, bytes } = await this.ports.load(placeOf(key), control.signal);
      this.received += received;
      const state = received === 0 ? "empty" : bytes === null ? "damaged" : "here";
      this.store({ key, state }, SMALL + (bytes ?? 0));
    } catch (error) {
      if (isAbort(error) || this.closed) return;
      this.failed.add(key);
      if (mayRecover(error)) this.ports.later(() => this.retry(), RETRY_MILLISECONDS);
      else this.refusal = error;
      this.ports.changed();
    } finally {
      this.running.delete(key);
      this.pump();
    }
  }

  private store(tile: Stored, bytes: number): void {
    if (this.closed) return;
    this.stored.set(tile.key, tile, bytes);
    this.ports.changed();
  }
}
