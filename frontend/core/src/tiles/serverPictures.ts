/** The fallback: pictures made by the service, for browsers without WebAssembly or workers. Exact, but many more bytes. */
import { type Address, type Pyramid, keyOf } from "../geometry/pyramid";
import { isAbort, isGone, mayRecover } from "../wire/http/errors";
import { explain } from "../wire/http/explain";
import type { SlideClient } from "../wire/slides/slideClient";
import type { Availability, PictureEvents, PictureSource, Priority, RgbaPixels, SourceMemory } from "./pictures";
import { Recovery } from "./recovery";

const REQUESTS_AT_A_TIME = 6;

interface Waiting {
  readonly tile: Address;
  readonly layers: number;
  readonly priority: Priority;
  /** Null: the picture is no longer wanted. */
  readonly resolve: (bitmap: ImageBitmap | null) => void;
  readonly reject: (error: unknown) => void;
}

export class ServerPictures implements PictureSource {
  readonly kind = "server";
  private readonly damaged = new Map<string, string>();
  private queue: Waiting[] = [];
  private underway = 0;
  private readonly life = new AbortController();
  private readonly recovery: Recovery;

  constructor(
    readonly pyramid: Pyramid,
    private readonly layers: number,
    private readonly client: SlideClient,
    private readonly events: PictureEvents,
  ) {
    this.recovery = new Recovery(() => this.reprioritise(), events.offline);
  }

  /** The pictures themselves are fetched when they are made. */
  fetch(): void {
    this.reprioritise();
  }

  /** Whole pictures are too many bytes to be fetched in advance. */
  prefetch(): void {
    return undefined;
  }

  availability(tile: Address): Availability {
    const reason = this.damaged.get(keyOf(tile)) ?? null;
    const layers = reason === null ? this.layers : 0;
    return { layers, attainable: layers, reason };
  }

  make(tile: Address, layers: number, priority: Priority): Promise<ImageBitmap | null> {
    return new Promise((resolve, reject) => {
      this.queue.push({ tile, layers, priority, resolve, reject });
      this.reprioritise();
    });
  }

  async pixels(tile: Address, layers: number): Promise<RgbaPixels> {
    const bitmap = await bitmapOf(await this.client.tile(tile, layers));
    const canvas = document.createElement("canvas");
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    const context = canvas.getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return { width: bitmap.width, height: bitmap.height, rgba: data };
  }

  reprioritise(): void {
    const ranked = this.queue.map((waiting) => ({ waiting, rank: waiting.priority() }));
    for (const { waiting, rank } of ranked) if (rank === null) this.drop(waiting);
    const wanted = ranked.filter(({ rank }) => rank !== null).sort((a, b) => a.rank! - b.rank!);
    for (const { waiting } of wanted) {
      if (this.underway >= REQUESTS_AT_A_TIME || this.recovery.waiting) return;
      this.queue = this.queue.filter((other) => other !== waiting);
      void this.load(waiting);
    }
  }

  retryNow(): void {
    this.recovery.retryNow();
  }

  memory(): Promise<SourceMemory> {
    return Promise.resolve({ decodedBytes: 0, wasmBytes: 0, compressedBytes: 0, workers: 0 });
  }

  close(): void {
    this.recovery.close();
    this.life.abort();
    for (const waiting of this.queue) this.drop(waiting);
  }

  private async load(waiting: Waiting): Promise<void> {
    this.underway += 1;
    try {
      const bitmap = await bitmapOf(await this.client.tile(waiting.tile, waiting.layers, this.life.signal));
      this.recovery.succeeded();
      waiting.resolve(bitmap);
    } catch (error) {
      this.failed(waiting, error);
    } finally {
      this.underway -= 1;
    }
    this.reprioritise();
  }

  private failed(waiting: Waiting, error: unknown): void {
    if (isAbort(error)) return waiting.resolve(null);
    if (mayRecover(error)) {
      this.queue.push(waiting);
      return this.recovery.failed(true);
    }
    if (isGone(error)) this.events.stale();
    else this.damaged.set(keyOf(waiting.tile), explain(error));
    waiting.reject(error);
  }

  private drop(waiting: Waiting): void {
    this.queue = this.queue.filter((other) => other !== waiting);
    waiting.resolve(null);
  }
}

function bitmapOf(blob: Blob): Promise<ImageBitmap> {
  return createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "premultiply" });
}
