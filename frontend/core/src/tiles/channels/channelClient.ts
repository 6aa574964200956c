/** One channel of a slide, as a slide of one: its parameter sets, and its number in every address. */
import type { Frame } from "../../wire/slides/batchFrames";
import type { LayerIndexPage } from "../../wire/slides/layerIndex";
import type { Manifest } from "../../wire/slides/manifest";
import type { BlockRange, SlideClient } from "../../wire/slides/slideClient";

/** The manifest of channel `c`. Its digest names samples in the decoder's cache: it differs from that of other channels. */
export function manifestOfChannel(manifest: Manifest, c: number): Manifest {
  const own = manifest.groups?.parameters.map((groups) => groups[c] ?? "") ?? [];
  return { ...manifest, digest: `${manifest.digest}/${c}`, channels: 1, groups: null, parameters: own };
}

/** Requests of a slide of one channel become those of channel `c`. */
export class ChannelClient implements SlideClient {
  constructor(
    private readonly client: SlideClient,
    private readonly c: number,
  ) {}

  layerIndexPage(z: number, _: number, level: number, page: number, signal?: AbortSignal): Promise<LayerIndexPage> {
    return this.client.layerIndexPage(z, this.c, level, page, signal);
  }

  approximationLayer(z: number, _: number, layer: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.client.approximationLayer(z, this.c, layer, signal);
  }

  batch(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    return this.client.batch(this.own(ranges), signal);
  }

  get(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    return this.client.get(this.own(ranges), signal);
  }

  tile(): Promise<Blob> {
    return Promise.reject(new Error("the service makes no picture of one channel"));
  }

  private own(ranges: readonly BlockRange[]): BlockRange[] {
    return ranges.map((range) => ({ ...range, address: { ...range.address, c: this.c } }));
  }
}
