/**
 * Pictures of a slide of several channels: each channel that is on is fetched and decoded as a slide of its own, and mixed here. Other
 * channels are neither fetched nor decoded; another window, colour or gamma needs nothing but what is here.
 */
import { type Address, address, keyOf } from "../../geometry/pyramid";
import { ByteLru } from "../../codec/byteLru";
import type { DecodedValues } from "../../codec/protocol";
import { type Manifest, middlePlane } from "../../wire/slides/manifest";
import { HttpSlideClient } from "../../wire/slides/slideClient";
import { slideStore } from "../../wire/stored/slideStore";
import { BlockCache } from "../blockCache";
import { WaveletPictures, type WaveletPicturesOptions } from "../waveletPictures";
import { ChannelClient, manifestOfChannel } from "./channelClient";
import { type Histogram, histogramOf } from "./histogram";
import { type MixEntries, textOfEntries } from "./mixEntries";
import type { Availability, FieldRequest, PictureSource, Priority, RgbaPixels } from "../pictures";
import {
  type Mix,
  type SampleRange,
  type Shown,
  channelsOf,
  contributions,
  defaultMix,
  entriesOf,
  mixOfEntries,
  mixed,
  sampleRange,
} from "./mix";

/** Bytes of decoded samples: two screens of eight channels. */
const BUDGET = 64 << 20;
const NOTHING: FieldRequest = { tiles: [], layers: 1 };

/** Tables of contributions at hand: of all channels that can be on, and of windows that are being moved. */
const MAX_TABLES = 80;

/** The samples of one tile and channel. */
type Plane = DecodedValues;

/** The pictures of one channel, and its samples. */
export interface ChannelSource extends PictureSource {
  values(tile: Address, layers: number): Promise<DecodedValues>;
}

/** The pictures of a slide of several channels, mixed so at first. `budget`: bytes of what is stored of each channel, compressed. */
export function ofChannels(options: WaveletPicturesOptions, budget: number, mix: MixEntries | null): ChannelPictures {
  const { manifest, meter, blockCache, client, events } = options;
  const stored = slideStore.responses(manifest.id, manifest.url);
  const open = (c: number): WaveletPictures => {
    const own = manifestOfChannel(manifest, c);
    return new WaveletPictures({
      ...options,
      events: { ...events, changed: () => pictures.reportChange() },
      manifest: own,
      client: new ChannelClient(manifest.files ? client : new HttpSlideClient(own, meter, undefined, stored), c),
      blockCache: new BlockCache(blockCache.pyramid, manifest.layers, budget),
      push: undefined, // it knows no channels
      begun: null, // nor does a first view
    });
  };
  const pictures = new ChannelPictures(manifest, open, () => events.changed(), mix);
  return pictures;
}

export class ChannelPictures implements PictureSource {
  readonly kind = "wavelet";
  private readonly sources = new Map<number, ChannelSource>();
  private readonly planes = new ByteLru<Plane>(BUDGET);
  private readonly tables = new Map<string, Uint8Array>();
  private readonly range: SampleRange;
  private readonly listeners = new Set<() => void>();
  private field = NOTHING;
  private current: Mix;

  constructor(
    private readonly manifest: Manifest,
    /** The pictures of one channel. */
    private readonly open: (c: number) => ChannelSource,
    private readonly changed: () => void,
    mix: MixEntries | null = null,
  ) {
    this.range = sampleRange(manifest);
    this.current = this.validOf(mix);
    for (const { c } of this.current) this.sourceOf(c);
  }

  get mix(): Mix {
    return this.current;
  }

  /** The mix, in the form of the API (WI137). */
  get variant(): string {
    return textOfEntries(entriesOf(this.current));
  }

  /** That of the default mix: the service makes its thumbnail so. */
  get ownVariant(): string {
    return textOfEntries(entriesOf(this.validOf(null)));
  }

  setMix(wanted: MixEntries | null): void {
    const mix = this.validOf(wanted);
    if (textOfEntries(entriesOf(mix)) === this.variant) return;
    this.current = mix;
    const on = new Set(mix.map(({ c }) => c));
    for (const [c, source] of this.sources) if (!on.has(c)) source.fetch(NOTHING);
    this.fetch(this.field);
    this.reportChange();
  }

  /** Calls back whenever there is more of a channel, or another mix, until the result is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  reportChange(): void {
    this.changed();
    for (const listener of this.listeners) listener();
  }

  /** Whether the channel is on and its coarsest level is here. */
  hasHistogram(c: number): boolean {
    return this.coarsest(c) > 0;
  }

  /** How the samples of a channel that is on are spread; null while its coarsest level is not here. Fetches nothing. */
  async histogram(c: number): Promise<Histogram | null> {
    const layers = this.coarsest(c);
    if (layers === 0) return null;
    return histogramOf((await this.planeOf(c, this.top, layers)).values, this.range);
  }

  /** The samples of the channels that are on at a place of a level, from what is decoded already; `whole`: of all layers. */
  samplesAt(tile: Address, x: number, y: number): { c: number; value: number; whole: boolean }[] {
    const { layers } = this.manifest;
    return this.current.flatMap(({ c }) => {
      for (let count = layers; count > 0; count--) {
        const plane = this.planes.get(nameOf(c, tile, count));
        const value = plane?.values[y * plane.width + x];
        if (value !== undefined) return [{ c, value, whole: count === layers }];
      }
      return [];
    });
  }

  fetch(field: FieldRequest): void {
    this.field = field;
    for (const source of this.on()) source.fetch(field);
  }

  prefetch(tiles: readonly Address[]): void {
    for (const source of this.on()) source.prefetch(tiles);
  }

  availability(tile: Address): Availability {
    const each = this.on().map((source) => source.availability(tile));
    return {
      layers: Math.min(...each.map(({ layers }) => layers)),
      attainable: Math.min(...each.map(({ attainable }) => attainable)),
      reason: each.find(({ reason }) => reason !== null)?.reason ?? null,
    };
  }

  async make(tile: Address, layers: number, priority: Priority): Promise<ImageBitmap | null> {
    if (priority() === null) return null;
    const { width, height, rgba } = await this.pixels(tile, layers);
    return createImageBitmap(new ImageData(rgba, width, height), { colorSpaceConversion: "none" });
  }

  async pixels(tile: Address, layers: number): Promise<RgbaPixels> {
    const { current } = this;
    const planes = await Promise.all(current.map(({ c }) => this.planeOf(c, tile, layers)));
    const { width, height } = planes[0]!;
    const samples = planes.map((plane) => plane.values);
    return { width, height, rgba: mixed(samples, current, this.range, this.contributions) };
  }

  reprioritise(): void {
    for (const source of this.sources.values()) source.reprioritise();
  }

  retryNow(): void {
    for (const source of this.sources.values()) source.retryNow();
  }

  async memory(): Promise<{ decodedBytes: number; wasmBytes: number; compressedBytes: number; workers: number }> {
    const each = await Promise.all([...this.sources.values()].map((source) => source.memory()));
    const [first] = each;
    return {
      decodedBytes: (first?.decodedBytes ?? 0) + this.planes.bytes, // one pool of workers serves all
      wasmBytes: first?.wasmBytes ?? 0,
      compressedBytes: each.reduce((sum, one) => sum + one.compressedBytes, 0),
      workers: first?.workers ?? 0,
    };
  }

  close(): void {
    for (const source of this.sources.values()) source.close();
  }

  private readonly contributions = (shown: Shown, range: SampleRange): Uint8Array => {
    const { colour, low, high, gamma } = shown;
    const name = [colour, low, high, gamma].join();
    let table = this.tables.get(name);
    if (!table) {
      if (this.tables.size >= MAX_TABLES) this.tables.clear();
      table = contributions(shown, range);
      this.tables.set(name, table);
    }
    return table;
  };

  private get top(): Address {
    return address(middlePlane(this.manifest.planes), this.manifest.top, 0, 0);
  }

  /** The layers that are here of the coarsest level of a channel that is on. */
  private coarsest(c: number): number {
    const source = this.current.some((one) => one.c === c) ? this.sources.get(c) : undefined;
    return source?.availability(this.top).layers ?? 0;
  }

  /** CM8: the channels that CM1 allows; without any, the default mix. */
  private validOf(wanted: MixEntries | null): Mix {
    const valid = mixOfEntries(wanted ?? {}).filter((shown) => this.isValid(shown));
    return valid.length > 0 ? valid : defaultMix(channelsOf(this.manifest));
  }

  /** CM1: a mix may come with a link from another slide. */
  private isValid({ c, low, high }: Shown): boolean {
    const { least, most } = this.range;
    return c < channelsOf(this.manifest).length && least <= low && low < high && high <= most;
  }

  private on(): ChannelSource[] {
    return this.current.map(({ c }) => this.sourceOf(c));
  }

  private sourceOf(c: number): ChannelSource {
    let source = this.sources.get(c);
    if (!source) {
      source = this.open(c);
      this.sources.set(c, source);
    }
    return source;
  }

  private async planeOf(c: number, tile: Address, layers: number): Promise<Plane> {
    const name = nameOf(c, tile, layers);
    const known = this.planes.get(name);
    if (known) return known;
    const plane = await this.sourceOf(c).values(tile, layers);
    this.planes.set(name, plane, plane.values.byteLength);
    return plane;
  }
}

const nameOf = (c: number, tile: Address, layers: number): string => `${c}/${keyOf(tile)}@${layers}`;
