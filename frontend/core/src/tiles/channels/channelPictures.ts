/**
 * Pictures of a slide of several channels: each channel that is on is fetched and decoded as a slide of its own, and mixed here. Other
 * channels are neither fetched nor decoded; another window, colour or gamma needs nothing but what is here.
 */
import { type Address, keyOf } from "../../geometry/pyramid";
import { ByteLru } from "../../codec/byteLru";
import type { Manifest } from "../../wire/slides/manifest";
import { HttpSlideClient } from "../../wire/slides/slideClient";
import { slideStore } from "../../wire/stored/slideStore";
import { BlockCache } from "../blockCache";
import { WaveletPictures, type WaveletPicturesOptions } from "../waveletPictures";
import { ChannelClient, manifestOfChannel } from "./channelClient";
import type { Availability, FieldRequest, PictureSource, Priority, RgbaPixels } from "../pictures";
import { type Mix, channelsOf, defaultMix, mixed } from "./mix";

/** Bytes of decoded samples: two screens of eight channels. */
const BUDGET = 64 << 20;
const NOTHING: FieldRequest = { tiles: [], layers: 1 };

/** The samples of one tile and channel. */
interface Plane {
  readonly width: number;
  readonly height: number;
  readonly samples: Uint8Array;
}

/** The pictures of a slide of several channels. `budget`: bytes of what is stored of each channel, compressed. */
export function ofChannels(options: WaveletPicturesOptions, budget: number): ChannelPictures {
  const { manifest, meter, blockCache } = options;
  if (manifest.files) throw new Error("slides of several channels are shown only by a service");
  const stored = slideStore.responses(manifest.id, manifest.url);
  return new ChannelPictures(manifest, (c) => {
    const own = manifestOfChannel(manifest, c);
    return new WaveletPictures({
      ...options,
      manifest: own,
      client: new ChannelClient(new HttpSlideClient(own, meter, undefined, stored), c),
      blockCache: new BlockCache(blockCache.pyramid, manifest.layers, budget),
      push: undefined, // it knows no channels
      begun: null, // nor does a first view
    });
  });
}

export class ChannelPictures implements PictureSource {
  readonly kind = "wavelet";
  private readonly sources = new Map<number, PictureSource>();
  private readonly planes = new ByteLru<Plane>(BUDGET);
  private field = NOTHING;
  private next: readonly Address[] = [];
  private current: Mix;

  constructor(
    private readonly manifest: Manifest,
    /** The pictures of one channel. */
    private readonly open: (c: number) => PictureSource,
  ) {
    this.current = defaultMix(channelsOf(manifest));
    for (const { c } of this.current) this.sourceOf(c);
  }

  get mix(): Mix {
    return this.current;
  }

  /** The pictures that are made from now on. At least one channel. */
  setMix(mix: Mix): void {
    this.current = mix;
    const on = new Set(mix.map(({ c }) => c));
    for (const [c, source] of this.sources) if (!on.has(c)) source.fetch(NOTHING);
    this.fetch(this.field);
  }

  fetch(field: FieldRequest): void {
    this.field = field;
    const own = { ...field, tiles: field.tiles.map((tile) => this.stored(tile)) };
    for (const source of this.on()) source.fetch(own);
  }

  prefetch(tiles: readonly Address[]): void {
    this.next = tiles.map((tile) => this.stored(tile));
    for (const source of this.on()) source.prefetch(this.next);
  }

  availability(tile: Address): Availability {
    const each = this.on().map((source) => source.availability(this.stored(tile)));
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
    const planes = await Promise.all(current.map(({ c }) => this.planeOf(c, this.stored(tile), layers)));
    const { width, height } = planes[0]!;
    const samples = planes.map((plane) => plane.samples);
    return { width, height, rgba: mixed(samples, current) };
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

  private on(): PictureSource[] {
    return this.current.map(({ c }) => this.sourceOf(c));
  }

  private sourceOf(c: number): PictureSource {
    let source = this.sources.get(c);
    if (!source) {
      source = this.open(c);
      this.sources.set(c, source);
    }
    return source;
  }

  private async planeOf(c: number, tile: Address, layers: number): Promise<Plane> {
    const name = `${c}/${keyOf(tile)}@${layers}`;
    const known = this.planes.get(name);
    if (known) return known;
    const { width, height, rgba } = await this.sourceOf(c).pixels(tile, layers);
    const samples = new Uint8Array(width * height);
    for (let i = 0; i < samples.length; i++) samples[i] = rgba[4 * i]!;
    const plane = { width, height, samples };
    this.planes.set(name, plane, plane.samples.byteLength);
    return plane;
  }

  /** The engine's planes count on with each mix, so that pictures of another one are replaced as those of another plane are. */
  private stored(tile: Address): Address {
    return { ...tile, z: tile.z % this.manifest.planes };
  }
}
