/** Has the field pushed where that is fastest: the connection, what it is expected to bring, and the end of it (WI122, WI123). */
import { type Address, keyOf } from "../../geometry/pyramid";
import {
  HEAD_BYTES,
  type OpenPush,
  type PushConnection,
  type PushPorts,
  type PushedBlock,
} from "../../wire/slides/pushClient";
import type { Frame } from "../../wire/slides/batchFrames";
import type { BlockRange } from "../../wire/slides/slideClient";
import type { BlockCache } from "../blockCache";
import type { FieldRequest } from "../pictures";
import type { Link } from "./link";
import { type PlacedField, type Velocity, rectangleOf, velocityOf } from "./motion";
import { planView } from "./pushView";

export interface PushFetchEvents {
  /** A block came. */
  received(range: BlockRange, frame: Frame, bytes: number): void;
  /** What was expected does not come by push: the rest is to be fetched otherwise. */
  ended(): void;
  /** This version of the slide is gone. */
  stale(): void;
}

/** Times in milliseconds. */
export type PushClock = Pick<PushPorts, "now" | "set" | "clear">;

export interface PushFetcherOptions {
  readonly open: OpenPush;
  readonly clock: PushClock;
  readonly link: Link;
  readonly blockCache: BlockCache;
  readonly events: PushFetchEvents;
}

/** A connection that says nothing for longer than this, or than SILENT_RESPONSES responses, has failed; milliseconds. */
const SILENT_MS = 2500;
const SILENT_RESPONSES = 4;
const STALE_VERSION = 4410;
const FIELDS_REMEMBERED = 64;
/** A field that follows the one before later than this was chosen at rest; milliseconds. */
const REST_MS = 1000;

interface SentView {
  readonly number: number;
  readonly field: string;
  readonly expected: ReadonlyMap<string, { readonly address: Address; readonly to: number }>;
  readonly sentAt: number;
  firstAt: number | null;
  bytes: number;
  complete: boolean;
}

export class PushFetcher {
  private client: PushConnection | null = null;
  private isOpen = false;
  private number = 0;
  /** Bytes of all messages that the block cache accounts for. */
  private received = 0;
  private current: SentView | null = null;
  private readonly blocks = new Map<number, readonly Address[]>();
  private last: PlacedField | null = null;
  private moved: Velocity = [0, 0];
  /** From the field before to the last one; milliseconds. */
  private pause = Infinity;
  /** The field that is fetched otherwise, to its end. */
  private declined: string | null = null;
  private silence: number | null = null;
  private closed = false;

  constructor(private readonly options: PushFetcherOptions) {}

  /** Blocks are on their way. */
  get busy(): boolean {
    return this.current !== null && !this.current.complete;
  }

  /** Has the field pushed, if that is the fastest way: the cache then knows what is on its way, and it is not planned otherwise. */
  follow(field: FieldRequest): void {
    const name = `${field.layers} ${field.tiles.map(keyOf).join(" ")}`;
    const isNew = this.current?.field !== name && this.declined !== name;
    if (isNew) this.place(field);
    if (!this.isChosen(isNew)) {
      this.declined = name;
      return this.release();
    }
    if (isNew) this.send(field, name);
  }

  close(): void {
    this.closed = true;
    this.stopTimer();
    this.client?.close();
    this.client = null;
    this.release();
  }

  /**
   * Opens the connection where it is worth it; whether the field is pushed. A connection that has brought nothing yet begins slowly (TCP),
   * that of the batches is fast already: at rest, when no bytes of other fields are in the way, a new field comes in a batch then.
   */
  private isChosen(isNew: boolean): boolean {
    const { link, open } = this.options;
    if (this.closed) return false;
    if (!this.client && link.wantsPush()) {
      this.client = open(link.measures(), {
        opened: () => {
          this.isOpen = true;
        },
        block: (block) => this.handleBlock(block),
        complete: (view) => this.handleComplete(view),
        closed: (code) => this.handleClosed(code),
      });
    }
    const slowStart = isNew && this.received === 0 && this.pause > REST_MS;
    return this.client !== null && link.choose(this.isOpen && !slowStart) === "push";
  }

  private send(field: FieldRequest, name: string): void {
    const { blockCache, clock } = this.options;
    this.release();
    if (field.tiles.length === 0 || !this.client) return;
    const planned = planView(field, this.moved, blockCache);
    if (!planned) return;
    const { view, blocks, expected } = planned;
    for (const { address, to } of expected.values()) blockCache.expect(address, to);
    this.number += 1;
    const { number } = this;
    this.client.send({ ...view, number, bytes: this.received });
    this.blocks.set(number, blocks);
    if (this.blocks.size > FIELDS_REMEMBERED) this.blocks.delete(number - FIELDS_REMEMBERED);
    this.current = { number, field: name, expected, sentAt: clock.now(), firstAt: null, bytes: 0, complete: false };
    this.watch();
  }

  /** Notes the motion to a field. The same one in more layers is no motion: the one before counts. */
  private place({ tiles }: FieldRequest): void {
    if (tiles.length === 0) return;
    const { z, level } = tiles[0]!;
    const before = this.last;
    const at = before ? this.options.clock.now() : -Infinity; // the first one was chosen before push was
    const placed: PlacedField = { z, level, rectangle: rectangleOf(tiles), at };
    if (before && before.level === level && String(before.rectangle) === String(placed.rectangle)) return;
    this.last = placed;
    this.moved = velocityOf(before, placed);
    this.pause = before ? at - before.at : Infinity;
  }

  private handleBlock({ view, from, to, frame, bytes }: PushedBlock): void {
    this.received += bytes;
    const address = this.blocks.get(view)?.[frame.index];
    for (const number of this.blocks.keys()) if (number < view) this.blocks.delete(number);
    const { current } = this;
    if (current?.number === view) {
      current.firstAt ??= this.options.clock.now();
      current.bytes += bytes;
      this.watch();
    }
    if (address) this.options.events.received({ address, from, to }, frame, bytes);
  }

  private handleComplete(view: number): void {
    this.received += HEAD_BYTES;
    const { current } = this;
    if (current?.number !== view) return;
    const { link, clock } = this.options;
    const now = clock.now();
    if (current.firstAt !== null) {
      const response = current.firstAt - current.sentAt;
      link.measured("push", { response, transfer: now - current.firstAt, bytes: current.bytes, at: now });
    }
    current.complete = true;
    this.stopTimer();
    this.releaseExpected(current);
    this.options.events.ended();
  }

  private handleClosed(code: number): void {
    const { link, events } = this.options;
    this.client = null;
    this.isOpen = false;
    this.received = 0;
    link.failed("push");
    this.stopTimer();
    this.release();
    if (code === STALE_VERSION) events.stale();
    events.ended();
  }

  /** Starts to wait anew for a sign of life. */
  private watch(): void {
    const { clock, link } = this.options;
    this.stopTimer();
    const limit = Math.max(SILENT_MS, SILENT_RESPONSES * (link.measures().roundTrip ?? 0));
    this.silence = clock.set(() => {
      this.silence = null;
      this.client?.close();
      this.handleClosed(0);
    }, limit);
  }

  private stopTimer(): void {
    if (this.silence !== null) this.options.clock.clear(this.silence);
    this.silence = null;
  }

  /** Nothing is expected of push any more. */
  private release(): void {
    const { current } = this;
    this.current = null;
    this.stopTimer();
    if (current && !current.complete) this.releaseExpected(current);
  }

  private releaseExpected({ expected }: SentView): void {
    for (const { address } of expected.values()) this.options.blockCache.expectNoMore(address);
  }
}
