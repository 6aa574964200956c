/** Counts what crosses the wire, and what the raw pixels of the tiles shown would have weighed. */
import type { BlockRange, Traffic } from "../wire/slides/slideClient";
import { History, type Second } from "./trafficHistory";
import { type Address, keyOf } from "../geometry/pyramid";

export interface Counters {
  readonly requests: number;
  readonly batches: number;
  /** Block ranges asked for. */
  readonly blocks: number;
  /** Those of them that the service pushed. */
  readonly pushedBlocks: number;
  /** Bytes of all answers' bodies. */
  readonly bytes: number;
  /** Server-made pixel tiles asked for (fallback only). */
  readonly pixelTiles: number;
  /** Bytes that the tiles shown so far would have as raw pixels. */
  readonly rawBytes: number;
  /** Tiles that came into the field of view, and those of them for which nothing had to be fetched first. */
  readonly entered: number;
  readonly cached: number;
  /** `block z/c/level/x/y from-to`, `approximation z/c layer`, `index z/c/level/page`, `tile z/level/x/y`. */
  readonly log: readonly string[];
}

const HISTORY_SECONDS = 120;
/** Long enough for any test, short enough for a day at the microscope. */
const MAX_LOG_LINES = 100_000;

export class Meter implements Traffic {
  private requests = 0;
  private batches = 0;
  private blocks = 0;
  private pushedBlocks = 0;
  private bytes = 0;
  private pixelTiles = 0;
  private rawBytes = 0;
  private entered = 0;
  private cached = 0;
  private log: string[] = [];
  private past = new History(HISTORY_SECONDS);
  private readonly shown = new Set<string>();

  constructor(
    private readonly onChange: () => void = () => undefined,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  requested(url: string): void {
    this.requests += 1;
    this.onChange();
    const path = url.replace(/^.*\/v\/[^/]+\//, "");
    if (path === "blocks:batch") this.batches += 1;
    const approximation = /^approximation\/(\d+\/\d+)\?from=(\d+)/.exec(path);
    if (approximation) this.note(`approximation ${approximation[1]} ${approximation[2]}`);
    if (path.startsWith("layer-index/")) this.note(`index ${path.slice("layer-index/".length)}`);
    if (path.startsWith("tiles/")) {
      this.pixelTiles += 1;
      this.note(`tile ${path.slice("tiles/".length)}`);
    }
  }

  received(bytes: number): void {
    this.bytes += bytes;
    this.past.add(this.clock(), { bytes });
    this.onChange();
  }

  requestedBlocks(ranges: readonly BlockRange[]): void {
    this.blocks += ranges.length;
    for (const { address, from, to } of ranges) this.note(`block ${keyOf(address)} ${from}-${to}`);
  }

  /** A block came that the service pushed; `bytes`: of its message. */
  pushed(range: BlockRange, bytes: number): void {
    this.pushedBlocks += 1;
    this.requestedBlocks([range]);
    this.received(bytes);
  }

  /** Tiles came into the field of view; for `cached` of them the first picture needs no fetching. */
  cameIntoView(entered: number, cached: number): void {
    if (entered === 0) return;
    this.entered += entered;
    this.cached += cached;
    this.past.add(this.clock(), { entered, cached });
  }

  /** The last two minutes, second by second, oldest first. */
  history(): Second[] {
    return this.past.read(this.clock());
  }

  /** A tile's pixels are on the screen for the first time. */
  drew(address: Address, rawBytes: number): void {
    const key = keyOf(address);
    if (this.shown.has(key)) return;
    this.shown.add(key);
    this.rawBytes += rawBytes;
    this.onChange();
  }

  counters(): Counters {
    return { ...this.sums(), log: [...this.log] };
  }

  /** The counters without the log. */
  sums(): Omit<Counters, "log"> {
    const { requests, batches, blocks, pushedBlocks, bytes, pixelTiles, rawBytes, entered, cached } = this;
    return { requests, batches, blocks, pushedBlocks, bytes, pixelTiles, rawBytes, entered, cached };
  }

  totals(): { bytes: number; rawBytes: number } {
    return { bytes: this.bytes, rawBytes: this.rawBytes };
  }

  reset(): void {
    this.requests =
      this.batches =
      this.blocks =
      this.pushedBlocks =
      this.bytes =
      this.pixelTiles =
      this.rawBytes =
      this.entered =
      this.cached =
        0;
    this.past = new History(HISTORY_SECONDS);
    this.log = [];
    this.shown.clear();
    this.onChange();
  }

  private note(line: string): void {
    if (this.log.length < MAX_LOG_LINES) this.log.push(line);
  }
}
