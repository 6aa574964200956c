/** Executes plans: pages, approximations and batches, with abort, recovery and corruption noted. */
import type { Address } from "../geometry/pyramid";
import { keyOf } from "../geometry/pyramid";
import { CorruptError, OfflineError, ProblemError, isAbort, isGone, mayRecover } from "../wire/http/errors";
import { explain } from "../wire/http/explain";
import { FRAME_STATUS, type Frame } from "../wire/slides/batchFrames";
import { splitLayers } from "../wire/slides/layers";
import type { FirstView } from "../wire/slides/firstView";
import { type BlockRange, MAX_ENTRIES, type SlideClient } from "../wire/slides/slideClient";
import { type BlockCache, type PageRef, pageKey } from "./blockCache";
import type { Meter } from "./meter";
import type { Plan } from "./plan";
import type { Link } from "./transport/link";

export interface FetchEvents {
  /** Something came: layers, a page, or the news that something is corrupt. */
  arrived(): void;
  /** Something failed that may work later. */
  recoverable(offline: boolean): void;
  /** The service answered. */
  responded(): void;
  /** This version of the slide is gone. */
  stale(): void;
}

interface Batch {
  readonly control: AbortController;
  readonly missing: Map<string, BlockRange>;
}

const MISMATCH = "the block is not what it is said to be";

export class Fetcher {
  private readonly pendingPages = new Set<string>();
  private readonly batches = new Set<Batch>();
  private readonly lifetime = new AbortController();

  constructor(
    private readonly client: SlideClient,
    private readonly blockCache: BlockCache,
    private readonly meter: Meter,
    private readonly events: FetchEvents,
    private readonly link: Link,
  ) {}

  /** Pages or batches are underway. */
  get busy(): boolean {
    return this.batches.size + this.pendingPages.size > 0;
  }

  /** Asks for all of a plan, what a picture waits for first: browsers have few requests underway at a time. */
  execute(plan: Plan): void {
    const ranges = plan.pages.length > 0 ? [] : plan.ranges; // a field's blocks wait for all its pages, to go in one batch
    for (let start = 0; start < ranges.length; start += MAX_ENTRIES) {
      this.fetchRanges(ranges.slice(start, start + MAX_ENTRIES));
    }
    const byAddress = new Map<string, { address: Address; layers: number[] }>();
    for (const { address, layer } of plan.approximations) {
      const entry = byAddress.get(keyOf(address)) ?? { address, layers: [] };
      entry.layers.push(layer);
      byAddress.set(keyOf(address), entry);
    }
    for (const { address, layers } of byAddress.values()) void this.fetchApproximation(address, layers);
    for (const ref of plan.pages) if (!this.pendingPages.has(pageKey(ref))) void this.fetchPage(ref);
  }

  /**
   * Aborts batches of which less than half of what is still missing is wanted: on a slow link they would hold up the new field.
   * What came of them stays; what is wanted of the rest is missing again, and asked for with the new field.
   */
  abortUnneeded(wanted: (address: Address) => boolean): void {
    for (const batch of this.batches) {
      const missing = [...batch.missing.values()];
      const needed = missing.filter((range) => wanted(range.address)).length;
      if (missing.length === 0 || 2 * needed >= missing.length) continue;
      for (const { address } of missing) this.blockCache.expectNoMore(address);
      batch.missing.clear();
      this.batches.delete(batch);
      batch.control.abort();
    }
  }

  close(): void {
    this.lifetime.abort();
    for (const batch of this.batches) batch.control.abort();
  }

  private async fetchPage(ref: PageRef): Promise<void> {
    this.pendingPages.add(pageKey(ref));
    try {
      const page = await this.client.layerIndexPage(ref.z, ref.c, ref.level, ref.page, this.lifetime.signal);
      this.blockCache.addPage(ref, page);
      this.events.responded();
    } catch (error) {
      this.handleFailure(error, (reason) => this.blockCache.markPageCorrupt(ref, reason));
    } finally {
      this.pendingPages.delete(pageKey(ref));
    }
    this.events.arrived();
  }

  private async fetchApproximation(address: Address, layers: readonly number[]): Promise<void> {
    this.blockCache.expect(address, layers[layers.length - 1]! + 1);
    const requests = layers.map((layer) =>
      this.client.approximationLayer(address.z, address.c, layer, this.lifetime.signal),
    );
    for (const request of requests) request.catch(() => undefined); // reported below, unless an earlier one failed
    for (const [i, layer] of layers.entries()) {
      try {
        const bytes = await requests[i]!;
        this.blockCache.add(address, layer, [bytes]);
        this.events.responded();
      } catch (error) {
        this.blockCache.expectNoMore(address);
        this.handleFailure(error, (reason) => this.blockCache.markCorrupt(address, layer, reason));
        return this.events.arrived();
      }
      if (layer === layers[layers.length - 1]) this.blockCache.expectNoMore(address);
      this.events.arrived();
    }
  }

  /** In several batches at a time where that is faster (WI126): all of them begin with what is needed first. */
  private fetchRanges(ranges: readonly BlockRange[]): void {
    const transport = this.link.chooseRequest();
    const lanes = transport === "batch" ? this.link.lanes(ranges.length) : 1;
    const timing = new RequestTiming(this.link, transport, lanes);
    const blocks = [...new Set(ranges.map(({ address }) => keyOf(address)))];
    const laneOf = new Map(blocks.map((block, place) => [block, place % lanes])); // all of a block comes in one batch
    for (let lane = 0; lane < lanes; lane += 1) {
      const own = ranges.filter(({ address }) => laneOf.get(keyOf(address)) === lane);
      void this.fetchBatch(own, transport, timing);
    }
  }

  private async fetchBatch(
    ranges: readonly BlockRange[],
    transport: "get" | "batch",
    timing: RequestTiming,
  ): Promise<void> {
    const control = new AbortController();
    await this.receiveBatch(ranges, this.client[transport](ranges, control.signal), control, transport, timing);
  }

  /** What was requested with the manifest: it is on its way. */
  adopt({ at, parts }: FirstView): void {
    const timing = new RequestTiming(this.link, "batch", parts.length, at);
    for (const { ranges, frames, control } of parts) {
      if (this.lifetime.signal.aborted) control.abort();
      else void this.receiveBatch(ranges, frames, control, "batch", timing);
    }
  }

  private async receiveBatch(
    ranges: readonly BlockRange[],
    frames: AsyncIterable<Frame>,
    control: AbortController,
    transport: "get" | "batch",
    timing: RequestTiming,
  ): Promise<void> {
    const batch: Batch = { control, missing: new Map(ranges.map((range) => [nameOf(range), range])) };
    this.batches.add(batch);
    this.meter.requestedBlocks(ranges.filter(({ address }) => address.level < this.blockCache.pyramid.top));
    for (const { address, to } of ranges) this.blockCache.expect(address, to);
    try {
      for await (const frame of frames) {
        if (!frame.stored) timing.received(frame.payload.length);
        this.handleFrame(ranges[frame.index]!, frame);
        batch.missing.delete(nameOf(ranges[frame.index]!));
        this.events.responded();
        this.events.arrived();
      }
    } catch (error) {
      if (concernsLink(error)) this.link.failed(transport);
      this.handleFailure(error, (reason) => {
        for (const { address, from } of batch.missing.values()) this.blockCache.markCorrupt(address, from, reason);
      });
    } finally {
      timing.ended(); // what came of an aborted request is a measure, too
      this.batches.delete(batch);
      for (const { address } of batch.missing.values()) this.blockCache.expectNoMore(address);
    }
    this.events.arrived();
  }

  /** A block that came otherwise. */
  receive(range: BlockRange, frame: Frame): void {
    this.handleFrame(range, frame);
    this.events.responded();
    this.events.arrived();
  }

  private handleFrame({ address, from, to }: BlockRange, frame: Frame): void {
    if (frame.status === FRAME_STATUS.ok) return this.addLayers({ address, from, to }, frame.payload);
    this.blockCache.expectNoMore(address);
    if (frame.status === FRAME_STATUS.unavailable) return this.events.recoverable(false);
    if (frame.status === FRAME_STATUS.corrupt) {
      return this.blockCache.markCorrupt(
        address,
        from,
        new TextDecoder().decode(frame.payload) || "the store is corrupt here",
      );
    }
    this.blockCache.markCorrupt(address, from, MISMATCH);
  }

  private addLayers({ address, from, to }: BlockRange, payload: Uint8Array): void {
    const layers = splitLayers(payload);
    const lengths = this.blockCache.lengths(address, from, to);
    const matches = lengths === null || lengths.every((length, i) => length === layers?.[i]?.length);
    if (layers?.length !== to - from || !matches) {
      this.blockCache.expectNoMore(address);
      return this.blockCache.markCorrupt(address, from, MISMATCH);
    }
    this.blockCache.add(address, from, layers);
    this.blockCache.arrived(address);
  }

  /** Sorts a failure: ours to wait for, corrupt data of the store, or the end of this version. */
  private handleFailure(error: unknown, markCorrupt: (reason: string) => void): void {
    if (isAbort(error)) return;
    if (isGone(error)) return this.events.stale();
    if (error instanceof CorruptError) return markCorrupt(error.message);
    if (error instanceof ProblemError && error.problem.startsWith("corrupt-")) return markCorrupt(explain(error));
    this.events.recoverable(error instanceof OfflineError || mayRecover(error));
  }
}

/** Whether the way to the service failed, not the service: a proxy answers with no problem document. */
function concernsLink(error: unknown): boolean {
  return mayRecover(error) || (error instanceof ProblemError && error.problem === "unknown");
}

/** Measures requests that were made together, as one (WI122). */
class RequestTiming {
  private firstAt: number | null = null;
  private bytes = 0;

  constructor(
    private readonly link: Link,
    private readonly transport: "get" | "batch",
    private underway: number,
    private readonly begun = link.now(),
  ) {}

  received(bytes: number): void {
    this.firstAt ??= this.link.now();
    this.bytes += bytes;
  }

  /** One of the requests has ended. */
  ended(): void {
    this.underway -= 1;
    const { begun, firstAt, bytes } = this;
    if (this.underway > 0 || firstAt === null) return;
    const at = this.link.now();
    this.link.measured(this.transport, { response: firstAt - begun, transfer: at - firstAt, bytes, at });
  }
}

function nameOf({ address, from }: BlockRange): string {
  return `${keyOf(address)} ${from}`;
}
