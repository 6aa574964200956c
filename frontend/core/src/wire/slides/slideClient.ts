/** Everything below /slides/{id}/v/{digest}: index pages, layers, batches, and the fallback's tiles. */
import { type Address } from "../../geometry/pyramid";
import { CorruptError, OfflineError, ProblemError, isAbort } from "../http/errors";
import { FRAME_STATUS, type Frame, FrameParser } from "./batchFrames";
import { type BegunPart, type FirstPart, type FirstView, takeFirstView } from "./firstView";
import { type Fetch, bytesOf, request } from "../http/http";
import { bytesOfHex } from "./hexadecimal";
import { type LayerIndexPage, pageSeed, parseLayerIndexPage } from "./layerIndex";
import { type Manifest } from "./manifest";
import { inParallel } from "./parallel";
import type { StoredResponses } from "../stored/slideStore";
import { splitLayers } from "./layers";

/** The layers [from, to) of one block. */
export interface BlockRange {
  readonly address: Address;
  readonly from: number;
  readonly to: number;
}

/** z, c, level, x, y, from, to */
type Entry = readonly [number, number, number, number, number, number, number];

/** WI17 */
export const MAX_ENTRIES = 4096;
/** Single requests that are underway at one time: as many as browsers allow over HTTP/1.1. */
const PARALLEL = 6;
/** Milliseconds for which a first view may be later than the manifest: on a slow link the files of the page come beside it. */
const LATE = 3000;

/** What tiles/ needs of the wire; a fake of it is all that tests need. */
export interface SlideClient {
  layerIndexPage(z: number, c: number, level: number, page: number, signal?: AbortSignal): Promise<LayerIndexPage>;
  /** One layer of the approximation. */
  approximationLayer(z: number, c: number, layer: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Frames as they come; throws CutStreamError if the stream ends early (frames given before are good). */
  batch(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame>;
  /** The same in single requests (WI15), which every cache on the way understands; frames in the order in which answers come. */
  get(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame>;
  /** A picture made by the service: pixels(tile, layers) as PNG. */
  tile(address: Address, layers: number, signal?: AbortSignal): Promise<Blob>;
}

/** Called for every request and every received byte, by the meter. */
export interface Traffic {
  requested(url: string): void;
  received(bytes: number): void;
}

export class HttpSlideClient implements SlideClient {
  constructor(
    private readonly manifest: Manifest,
    private readonly traffic: Traffic,
    private readonly fetcher: Fetch = (input, init) => fetch(input, init),
    /** Of earlier visits. */
    private readonly stored: StoredResponses | null = null,
  ) {}

  async layerIndexPage(
    z: number,
    c: number,
    level: number,
    page: number,
    signal?: AbortSignal,
  ): Promise<LayerIndexPage> {
    const bytes = await this.getStored(`layer-index/${z}/${c}/${level}/${page}`, signal);
    return parseLayerIndexPage(bytes, pageSeed(bytesOfHex(this.manifest.parameters[level] ?? ""), z, page));
  }

  approximationLayer(z: number, c: number, layer: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.getStored(approximationPath(z, c, layer), signal);
  }

  async tile(a: Address, layers: number, signal?: AbortSignal): Promise<Blob> {
    const bytes = await this.bytes(`tiles/${a.z}/${a.level}/${a.x}/${a.y}.png?layers=${layers}`, signal);
    return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" });
  }

  /** What is stored comes first, whatever the order of the ranges. */
  async *batch(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    const stored = (await this.stored?.read(ranges.map(nameOf))) ?? [];
    const missing: number[] = [];
    for (const [index, { from, to }] of ranges.entries()) {
      const payload = firstLayers(stored[index], to - from);
      if (payload) yield { index, status: FRAME_STATUS.ok, payload, stored: true };
      else missing.push(index);
    }
    if (missing.length === 0) return;
    signal?.throwIfAborted();
    const asked = missing.map((index) => ranges[index]!);
    for await (const frame of this.remoteBatch(asked, signal)) {
      this.store(asked[frame.index]!, frame);
      yield { ...frame, index: missing[frame.index]! };
    }
  }

  /** What was begun for the slide (`beginFirstView`); null: nothing. */
  firstView(): Promise<FirstView> | null {
    const begun = takeFirstView(this.manifest.id);
    if (!begun) return null;
    const opened = begun.parts.map((part) => {
      this.traffic.requested(`${this.manifest.url}/first-view`);
      return this.opened(part).catch(() => {
        part.control.abort();
        return null;
      });
    });
    return Promise.all(opened).then((all) => ({ at: begun.at, parts: all.filter((part) => part !== null) }));
  }

  /** Throws where it is of another version, late or malformed. */
  private async opened({ control, response }: BegunPart): Promise<FirstPart | null> {
    const late = setTimeout(() => control.abort(), LATE);
    const answer = await response;
    const frames = answer && this.framesOf(answer, MAX_ENTRIES + 1, true);
    const head = await frames?.next();
    clearTimeout(late);
    if (!frames || !head?.value) return null;
    const ranges = this.rangesOf(head.value.payload);
    return { ranges, frames: this.viewFrames(ranges, frames), control };
  }

  private rangesOf(head: Uint8Array): BlockRange[] {
    const { digest, blocks } = JSON.parse(new TextDecoder().decode(head)) as { digest: string; blocks: Entry[] };
    if (digest !== this.manifest.digest) throw new CorruptError("first view: of another version");
    return blocks.map(([z, c, level, x, y, from, to]) => ({ address: { z, c, level, x, y }, from, to }));
  }

  private async *viewFrames(ranges: readonly BlockRange[], frames: AsyncIterable<Frame>): AsyncIterable<Frame> {
    for await (const frame of frames) {
      const index = frame.index - 1; // after the head
      this.store(ranges[index]!, frame);
      yield { ...frame, index };
    }
  }

  /** Stores what came, under the names by which it is read. */
  private store(range: BlockRange, { status, payload }: Frame): void {
    const { address: a, from } = range;
    if (status !== FRAME_STATUS.ok) return;
    if (a.level < this.manifest.top) return this.stored?.write(nameOf(range), payload);
    for (const [i, layer] of (splitLayers(payload) ?? []).entries())
      this.stored?.write(approximationPath(a.z, a.c, from + i), layer);
  }

  private async *remoteBatch(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    const blocks = ranges.map(({ address: a, from, to }) => [a.z, a.c, a.level, a.x, a.y, from, to]);
    const response = await this.request("blocks:batch", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ blocks }),
      signal,
    });
    yield* this.framesOf(response, ranges.length);
  }

  private async *framesOf(response: Response, entries: number, fewer = false): AsyncGenerator<Frame, void> {
    const parser = new FrameParser(entries);
    for await (const chunk of this.chunks(response)) yield* parser.push(chunk);
    parser.end(fewer);
  }

  async *get(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    yield* inParallel(ranges, PARALLEL, (range, index) => this.single(range, index, signal));
  }

  private async single({ address: a, from, to }: BlockRange, index: number, signal?: AbortSignal): Promise<Frame> {
    try {
      const path = `blocks/${a.z}/${a.c}/${a.level}/${a.x}/${a.y}?from=${from}&to=${to}`;
      const payload = await this.bytes(path, signal);
      return { index, status: payload.length > 0 ? FRAME_STATUS.ok : FRAME_STATUS.empty, payload };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.problem !== "corrupt-block" && error.status !== 503) throw error;
      const status = error.status === 503 ? FRAME_STATUS.unavailable : FRAME_STATUS.corrupt;
      return { index, status, payload: new TextEncoder().encode(error.detail) };
    }
  }

  private async *chunks(response: Response): AsyncIterable<Uint8Array> {
    const reader = response.body?.getReader();
    if (!reader) return;
    let whole = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        whole = done;
        if (done) return;
        this.traffic.received(value.length);
        yield value;
      }
    } catch (cause) {
      if (isAbort(cause)) throw cause;
      throw cause instanceof TypeError ? new OfflineError("the connection broke", { cause }) : cause;
    } finally {
      if (!whole) reader.cancel().catch(() => undefined);
    }
  }

  private async getStored(path: string, signal?: AbortSignal): Promise<Uint8Array> {
    const [stored] = (await this.stored?.read([path])) ?? [];
    if (stored) return stored;
    const bytes = await this.bytes(path, signal);
    this.stored?.write(path, bytes);
    return bytes;
  }

  private async bytes(path: string, signal?: AbortSignal): Promise<Uint8Array> {
    const bytes = await bytesOf(await this.request(path, { signal }));
    this.traffic.received(bytes.length);
    return bytes;
  }

  private request(path: string, init: RequestInit): Promise<Response> {
    const url = `${this.manifest.url}/${path}`;
    this.traffic.requested(url);
    return request(this.fetcher, url, init);
  }
}

const nameOf = ({ address: a, from }: BlockRange): string => `blocks/${a.z}/${a.c}/${a.level}/${a.x}/${a.y}/${from}`;

/** The first `count` of the layers; null where there are fewer. */
function firstLayers(stored: Uint8Array | null | undefined, count: number): Uint8Array | null {
  const layers = stored ? splitLayers(stored) : null;
  if (!stored || !layers || layers.length < count) return null;
  return stored.subarray(
    0,
    layers.slice(0, count).reduce((sum, layer) => sum + layer.length, 0),
  );
}

function approximationPath(z: number, c: number, layer: number): string {
  return `approximation/${z}/${c}?from=${layer}&to=${layer + 1}`;
}

/** What `approximationLayer` asks for, layer after layer: to fill the browser's cache ahead. */
export function approximationUrls({ url, layers }: Manifest, z: number): string[] {
  return Array.from({ length: layers }, (_, layer) => `${url}/${approximationPath(z, 0, layer)}`);
}
