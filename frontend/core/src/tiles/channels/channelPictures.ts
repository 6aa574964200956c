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
import type {
  Availability,
  FieldRequest,
  PictureSource,
  Priority,
  RgbaPixels,
  SourceMemory,
  TileImage,
} from "../pictures";
import {
  type Mix,
  type SampleRange,
  type Shown,
  channelsOf,
  defaultMix,
  entriesOf,
  mixOfEntries,
  sampleRange,
} from "./mix";
import type { Mixer, Plane } from "./mixer";
import { oncePerFrame } from "./oncePerFrame";
import { mixed } from "./sums";
import { type Change, type Part, TileMixes } from "./tileMixes";

const EXTENDED = "extended ";
const NOTHING: FieldRequest = { tiles: [], layers: 1 };

/** Channels of a tile that are decoded at a time: of many, few wait in memory until they are added. */
const AT_A_TIME = 8;

/** Bytes of a channel's compressed blocks, at least: a large screen of them. */
const LEAST_COMPRESSED = 6 << 20;

/** The pictures of one channel, and its samples. */
export interface ChannelSource extends PictureSource {
  values(tile: Address, layers: number, priority?: Priority): Promise<DecodedValues | null>;
}

/** Bytes of all channels: their compressed blocks; their samples, and as much again of their sums. */
export interface ChannelBudgets {
  readonly compressed: number;
  readonly samples: number;
}

/** Opens the mixer of a slide; `lost` is called when it cannot go on. Null: the one that cannot be lost. */
export type OpenMixer = (range: SampleRange, lost: (() => void) | null) => Mixer;

/** The pictures of a slide of several channels, mixed so at first; `withFocus` gives those of one channel extended depth of field. */
export function ofChannels(
  options: WaveletPicturesOptions,
  budgets: ChannelBudgets,
  mix: MixEntries | null,
  openMixer: OpenMixer,
  withFocus?: (pictures: WaveletPictures) => ChannelSource,
): ChannelPictures {
  const { manifest, meter, blockCache, client, events } = options;
  const stored = slideStore.responses(manifest.id, manifest.url);
  let opened = 0;
  const compressed = (): number => Math.max(LEAST_COMPRESSED, budgets.compressed / opened);
  const open = (c: number): ChannelSource => {
    opened += 1;
    const own = manifestOfChannel(manifest, c);
    const one = new WaveletPictures({
      ...options,
      events: { ...events, changed: () => pictures.reportChange() },
      manifest: own,
      client: new ChannelClient(manifest.files ? client : new HttpSlideClient(own, meter, undefined, stored), c),
      blockCache: new BlockCache(blockCache.pyramid, manifest.layers, compressed),
      push: undefined, // it knows no channels
      begun: null, // nor does a first view
    });
    return withFocus?.(one) ?? one;
  };
  const pictures = new ChannelPictures({
    manifest,
    mix,
    open,
    changed: () => events.changed(),
    openMixer,
    budget: budgets.samples,
    nextFrame: (work) => requestAnimationFrame(work),
  });
  return pictures;
}

export interface ChannelPicturesOptions {
  readonly manifest: Manifest;
  /** The first mix; null: that of the slide. */
  readonly mix: MixEntries | null;
  /** The pictures of one channel. */
  readonly open: (c: number) => ChannelSource;
  readonly changed: () => void;
  readonly openMixer: OpenMixer;
  /** Bytes of samples, and of sums. */
  readonly budget: number;
  readonly nextFrame: (work: () => void) => void;
}

export class ChannelPictures implements PictureSource {
  readonly kind = "wavelet";
  private readonly sources = new Map<number, ChannelSource>();
  /** What each fetches. */
  private readonly fields = new Map<ChannelSource, FieldRequest>();
  private readonly planes: ByteLru<Plane>;
  private readonly range: SampleRange;
  private readonly manifest: Manifest;
  private readonly changed: () => void;
  private readonly listeners = new Set<() => void>();
  private mixes: TileMixes;
  /** Begins the names of variants that are made after the first mixer was lost. */
  private lost = "";
  private field = NOTHING;
  private extended = false;
  private current: Mix;
  /** Each channel has the sharpest details of its own planes (ZS8). */
  readonly setExtended?: (on: boolean) => void;

  constructor(private readonly options: ChannelPicturesOptions) {
    const { manifest, mix, budget, openMixer, changed, nextFrame } = options;
    this.manifest = manifest;
    this.range = sampleRange(manifest);
    this.planes = new ByteLru(budget);
    this.mixes = new TileMixes(
      openMixer(this.range, () => this.mixerLost()),
      budget,
    );
    this.changed = oncePerFrame(changed, nextFrame);
    this.current = this.validOf(mix);
    for (const { c } of this.current) this.sourceOf(c);
    if (this.on()[0]?.setExtended) this.setExtended = (on) => this.extend(on);
  }

  get mix(): Mix {
    return this.current;
  }

  /** The mix, in the form of the API (WI137). */
  get variant(): string {
    return this.lost + this.depth + textOfEntries(entriesOf(this.current));
  }

  /** That of the default mix: the service makes its thumbnail so. */
  get ownVariant(): string {
    return textOfEntries(entriesOf(this.validOf(null)));
  }

  setMix(wanted: MixEntries | null): void {
    const mix = this.validOf(wanted);
    if (textOfEntries(entriesOf(mix)) === textOfEntries(entriesOf(this.current))) return;
    this.current = mix;
    const on = new Set(mix.map(({ c }) => c));
    for (const [c, source] of this.sources) if (!on.has(c)) this.fetchOf(source, NOTHING);
    this.fetch(this.field);
    this.reportChange();
  }

  private extend(on: boolean): void {
    if (on === this.extended) return;
    this.extended = on;
    for (const source of this.sources.values()) source.setExtended?.(on);
    this.reportChange();
  }

  /** Begins the names of what has extended depth of field. */
  private get depth(): string {
    return this.extended ? EXTENDED : "";
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
    const plane = await this.planeOf(c, this.top, layers);
    return plane && histogramOf(plane.values, this.range);
  }

  /** The samples of the channels that are on at a place of a level, from what is decoded already; `whole`: of all layers. */
  samplesAt(tile: Address, x: number, y: number): { c: number; value: number; whole: boolean }[] {
    const { layers } = this.manifest;
    return this.current.flatMap(({ c }) => {
      for (let count = layers; count > 0; count--) {
        const plane = this.planes.get(this.nameOf(c, tile, count));
        const value = plane?.values[y * plane.width + x];
        if (value !== undefined) return [{ c, value, whole: count === layers }];
      }
      return [];
    });
  }

  fetch(field: FieldRequest): void {
    this.field = field;
    for (const source of this.on()) this.fetchOf(source, field);
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

  async make(tile: Address, layers: number, priority: Priority): Promise<TileImage | null> {
    const { current, extended } = this;
    const isCurrent = (): boolean => this.current === current && this.extended === extended;
    const rank: Priority = () => (isCurrent() ? priority() : null);
    while (rank() !== null) {
      const missing = this.advance(tile, layers);
      if (missing.length === 0) return this.mixes.picture(this.keyOf(tile));
      const add = async (change: Change): Promise<void> => {
        const plane = await this.planeOf(change.c, tile, change.layers, rank);
        if (plane && rank() !== null) this.advance(tile, layers, plane);
      };
      await Promise.all(missing.slice(0, AT_A_TIME).map(add));
    }
    return null;
  }

  makeNow(tile: Address, layers: number): TileImage | null {
    return this.advance(tile, layers).length === 0 ? this.mixes.picture(this.keyOf(tile)) : null;
  }

  async pixels(tile: Address, layers: number): Promise<RgbaPixels> {
    const { current } = this;
    const planes = await Promise.all(current.map(({ c }) => this.planeOf(c, tile, layers)));
    const decoded = planes.filter((plane) => plane !== null);
    if (decoded.length < planes.length) throw new Error("the slide is closed");
    const { width, height } = decoded[0]!;
    const samples = decoded.map((plane) => plane.values);
    return { width, height, rgba: mixed(samples, current, this.range) };
  }

  reprioritise(): void {
    for (const source of this.sources.values()) source.reprioritise();
  }

  retryNow(): void {
    for (const source of this.sources.values()) source.retryNow();
  }

  async memory(): Promise<SourceMemory> {
    const each = await Promise.all([...this.sources.values()].map((source) => source.memory()));
    const [first] = each;
    return {
      decodedBytes: (first?.decodedBytes ?? 0) + this.planes.bytes + this.mixes.bytes, // one pool of workers serves all
      wasmBytes: first?.wasmBytes ?? 0,
      compressedBytes: each.reduce((sum, one) => sum + one.compressedBytes, 0),
      workers: first?.workers ?? 0,
      mixer: this.mixes.mixer.kind,
    };
  }

  close(): void {
    for (const source of this.sources.values()) source.close();
    this.mixes.mixer.close();
  }

  /** CM10: the processor goes on, and makes all pictures anew: those that are shown may be lost, too. */
  private mixerLost(): void {
    this.mixes.mixer.close();
    this.mixes = new TileMixes(this.options.openMixer(this.range, null), this.options.budget);
    this.lost = "canvas:";
    this.changed();
  }

  /** Brings the sum of a tile nearer to the mix, with the planes at hand and the one that was just decoded; gives what waits for its plane. */
  private advance(tile: Address, layers: number, decoded?: Plane): readonly Change[] {
    const planeOf = (c: number, own: number): Plane | undefined => {
      const name = this.nameOf(c, tile, own);
      return name === decoded?.name ? decoded : this.planes.get(name);
    };
    const key = this.keyOf(tile);
    return this.mixes.advance(key, this.wantedOf(key, layers), planeOf);
  }

  /** Each channel of the mix with so many layers, or as many more as its part in the sum has: what is better is not decoded again to be worse. */
  private wantedOf(tile: string, layers: number): Part[] {
    const most = Math.max(layers, this.field.layers);
    const layersOf = this.mixes.layersOf(tile);
    return this.current.map((shown) => {
      const own = layersOf(shown.c);
      return { shown, layers: own >= layers && own <= most ? own : layers };
    });
  }

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

  /** A source goes on with its field by itself: the same one is not fetched again. */
  private fetchOf(source: ChannelSource, field: FieldRequest): void {
    const now = this.fields.get(source);
    if (now?.tiles === field.tiles && now.layers === field.layers) return;
    this.fields.set(source, field);
    source.fetch(field);
  }

  private sourceOf(c: number): ChannelSource {
    let source = this.sources.get(c);
    if (!source) {
      source = this.options.open(c);
      this.sources.set(c, source);
    }
    source.setExtended?.(this.extended); // one that was extended before the others may have called back: none gives a plane then
    return source;
  }

  /** Null: it was no longer wanted before it was begun. */
  private async planeOf(c: number, tile: Address, layers: number, priority?: Priority): Promise<Plane | null> {
    const name = this.nameOf(c, tile, layers);
    const known = this.planes.get(name);
    if (known) return known;
    const decoded = await this.sourceOf(c).values(tile, layers, priority);
    const plane = decoded && { ...decoded, name };
    if (plane) this.planes.set(name, plane, plane.values.byteLength);
    return plane;
  }

  private keyOf(tile: Address): string {
    return this.depth + keyOf(tile);
  }

  private nameOf(c: number, tile: Address, layers: number): string {
    return `${c}/${this.keyOf(tile)}@${layers}`;
  }
}
