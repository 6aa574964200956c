/** Pictures made in this browser: blocks from the service, decoded by a pool of workers. */
import type { Address } from "../geometry/pyramid";
import { type DecodePool, DroppedError, UndecodableError } from "../codec/pool";
import type { DecodeRequest, DecodedValues } from "../codec/protocol";
import type { Manifest } from "../wire/slides/manifest";
import type { Frame } from "../wire/slides/batchFrames";
import type { FirstView } from "../wire/slides/firstView";
import type { BlockRange, SlideClient } from "../wire/slides/slideClient";
import type { OpenPush } from "../wire/slides/pushClient";
import { Fetcher } from "./fetcher";
import type { BlockCache } from "./blockCache";
import type { Meter } from "./meter";
import type {
  Availability,
  FieldRequest,
  PictureEvents,
  PictureSource,
  Priority,
  RgbaPixels,
  SourceMemory,
} from "./pictures";
import { type Plan, availabilityOf, planFetch } from "./plan";
import { Recovery } from "./recovery";
import { sharpLayers } from "./sharpness";
import type { Link } from "./transport/link";
import type { PushClock, PushFetcher } from "./transport/pushFetcher";

export interface WaveletPicturesOptions {
  readonly manifest: Manifest;
  readonly client: SlideClient;
  readonly blockCache: BlockCache;
  readonly pool: DecodePool;
  /** How many workers the pool has. */
  readonly workers: number;
  readonly meter: Meter;
  readonly events: PictureEvents;
  readonly link: Link;
  /** How a push connection is opened; without it blocks are requested only. */
  readonly push?: OpenPush;
  readonly clock?: PushClock;
  /** Blocks that were requested before; nothing else is until it is known which. */
  readonly begun?: Promise<FirstView> | null;
}

const BROWSER_CLOCK: PushClock = {
  now: () => performance.now(),
  set: (work, milliseconds) => window.setTimeout(work, milliseconds),
  clear: (timer) => window.clearTimeout(timer),
};

export class WaveletPictures implements PictureSource {
  readonly kind = "wavelet";
  private readonly fetcher: Fetcher;
  private readonly recovery: Recovery;
  private push: PushFetcher | null = null;
  private pushLoads = false;
  private field: FieldRequest = { tiles: [], layers: 1 };
  private needed = new Set<string>();
  private next: readonly Address[] = [];
  private readonly extra = new Map<string, { tile: Address; layers: number; settle: () => void }>();
  private awaited = false;
  private pumpTimer: ReturnType<typeof setTimeout> | null = null;

  private readonly manifest: Manifest;
  /** For each level the layers with which its tiles are sharp. */
  private readonly sharp: readonly number[];
  private readonly blockCache: BlockCache;
  private readonly pool: DecodePool;
  private readonly workers: number;
  private readonly events: PictureEvents;
  private readonly meter: Meter;
  private readonly link: Link;
  private readonly clock: PushClock;
  private openPush: OpenPush | undefined;

  constructor(options: WaveletPicturesOptions) {
    const { manifest, client, blockCache, pool, workers, meter, events, link, push, clock = BROWSER_CLOCK } = options;
    if (options.begun) void this.adopt(options.begun);
    this.manifest = manifest;
    this.sharp = sharpLayers(manifest);
    this.blockCache = blockCache;
    this.pool = pool;
    this.workers = workers;
    this.events = events;
    this.recovery = new Recovery(() => this.pump(), events.offline);
    const fetchEvents = {
      arrived: () => this.arrived(),
      recoverable: (offline: boolean) => this.recovery.failed(offline),
      responded: () => this.recovery.succeeded(),
      stale: () => events.stale(),
    };
    this.fetcher = new Fetcher(client, blockCache, meter, fetchEvents, link);
    this.openPush = push;
    this.clock = clock;
    this.meter = meter;
    this.link = link;
  }

  private async adopt(begun: Promise<FirstView>): Promise<void> {
    this.awaited = true;
    const view = await begun;
    this.awaited = false;
    this.fetcher.adopt(view);
    this.pump();
  }

  fetch(field: FieldRequest): void {
    this.field = field;
    this.needed = new Set(
      [...field.tiles, ...this.next].flatMap((tile) => this.blockCache.pyramid.chain(tile).map(nameOf)),
    );
    this.fetcher.abortUnneeded((a) => this.needed.has(nameOf(a)) || this.extra.size > 0);
    this.pump();
  }

  prefetch(tiles: readonly Address[]): void {
    this.next = tiles;
    if (tiles.length > 0) this.pump();
  }

  availability(tile: Address): Availability {
    return availabilityOf(tile, this.blockCache);
  }

  async make(tile: Address, layers: number, priority: Priority): Promise<ImageBitmap | null> {
    try {
      return await this.pool.bitmap(this.requestFor(tile, layers), priority);
    } catch (error) {
      return this.failed(error, layers);
    }
  }

  async pixels(tile: Address, layers: number): Promise<RgbaPixels> {
    await this.fetched(tile, layers);
    return this.pool.pixels(this.requestFor(tile, layers));
  }

  /** Of a slide of one channel, in the numbers of its source: fetches what is missing. Null when they were no longer wanted before they were begun. */
  async values(tile: Address, layers: number, priority?: Priority): Promise<DecodedValues | null> {
    await this.fetched(tile, layers);
    try {
      return await this.pool.values(this.requestFor(tile, layers), priority);
    } catch (error) {
      return this.failed(error, layers);
    }
  }

  /** Waits until so many layers of a tile are here; throws where the store cannot give them. */
  async fetched(tile: Address, layers: number): Promise<void> {
    while (this.availability(tile).layers < layers) {
      const { attainable, reason } = this.availability(tile);
      if (attainable < layers) throw new Error(reason ?? "the tile is damaged");
      await new Promise<void>((settle) => {
        this.extra.set(`${nameOf(tile)}@${layers}`, { tile, layers, settle });
        this.pump();
      });
    }
  }

  reprioritise(): void {
    this.pool.reprioritise();
  }

  retryNow(): void {
    this.recovery.retryNow();
  }

  async memory(): Promise<SourceMemory> {
    return { ...(await this.pool.memory()), compressedBytes: this.blockCache.bytes, workers: this.workers };
  }

  close(): void {
    if (this.pumpTimer !== null) clearTimeout(this.pumpTimer);
    this.recovery.close();
    this.fetcher.close();
    this.openPush = undefined;
    this.push?.close();
    this.pool.close();
  }

  /** Asks for what is missing. */
  private pump(): void {
    if (this.awaited || this.recovery.waiting || this.waitsForPush()) return;
    this.push?.follow(this.field);
    const plan = this.planFor(this.field.tiles, this.field.layers);
    this.fetcher.execute(plan);
    if (plan.pages.length + plan.approximations.length + plan.ranges.length === 0 && !this.busy) this.lookAhead();
    for (const [key, { tile, layers, settle }] of this.extra) {
      this.fetcher.execute(this.planFor([tile], layers));
      const { layers: available, attainable } = this.availability(tile);
      if (available < layers && attainable >= layers) continue;
      this.extra.delete(key);
      settle();
    }
  }

  /** Loads the code of push once it may be worth it. Whether it is worth waiting for. */
  private waitsForPush(): boolean {
    const { openPush, push, link } = this;
    if (!openPush || push || !link.wantsPush()) return false;
    if (!this.pushLoads) void this.loadPush(openPush);
    return link.choose(true) === "push";
  }

  private async loadPush(open: OpenPush): Promise<void> {
    this.pushLoads = true;
    const { clock, link, blockCache } = this;
    const events = {
      received: (range: BlockRange, frame: Frame, bytes: number) => {
        this.meter.pushed(range, bytes);
        this.fetcher.receive(range, frame);
      },
      ended: () => this.arrived(),
      stale: () => this.events.stale(),
    };
    try {
      const { PushFetcher } = await import("./transport/pushFetcher");
      if (this.openPush) this.push = new PushFetcher({ open, clock, link, blockCache, events });
    } catch {
      link.failed("push");
    }
    this.pushLoads = false;
    if (this.openPush) this.pump();
  }

  private get busy(): boolean {
    return this.fetcher.busy || this.push?.busy === true;
  }

  private lookAhead(): void {
    this.fetcher.execute(this.planFor(this.next, 1));
  }

  private planFor(tiles: readonly Address[], layers: number): Plan {
    return planFetch(tiles, layers, this.blockCache, this.sharp[tiles[0]?.level ?? 0]);
  }

  /** Gathers what arrives together: frames come many at a time. */
  private arrived(): void {
    if (this.pumpTimer !== null) return;
    this.pumpTimer = setTimeout(() => {
      this.pumpTimer = null;
      this.pump();
      this.events.changed();
    });
  }

  /** What a decoder needs for a tile: what is here of its chain. */
  requestFor(tile: Address, layers: number): Omit<DecodeRequest, "output"> {
    const chain = this.blockCache.pyramid.chain(tile).reverse();
    return {
      slide: this.manifest.digest,
      chain: chain.map((a) => ({
        address: a,
        parameters: this.manifest.parameters[a.level]!,
        layers: this.blockCache.get(a).slice(0, layers),
      })),
      layers,
      channels: this.manifest.channels,
      ...this.blockCache.pyramid.tileSize(tile.level, tile.x, tile.y),
    };
  }

  /** What a picture is that could not be made. Null: it was no longer wanted. One of the first `layers` layers may be bad: the last, unless fewer cannot be decoded either. */
  failed(error: unknown, layers: number): null {
    if (error instanceof DroppedError) return null;
    if (error instanceof UndecodableError) this.blockCache.markCorrupt(error.address, layers - 1, error.message);
    throw error;
  }
}

function nameOf(a: Address): string {
  return `${a.z}/${a.level}/${a.x}/${a.y}`;
}
