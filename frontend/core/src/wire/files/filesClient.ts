/** The blocks of a slide from its files (SH5, SH6): beside `HttpSlideClient`, the same interface. */
import { Pyramid } from "../../geometry/pyramid";
import { CorruptError } from "../http/errors";
import { FRAME_STATUS, type Frame } from "../slides/batchFrames";
import { bytesOfHex } from "../slides/hexadecimal";
import { type LayerIndexPage, pageOf, pageSeed, parseLayerIndexPage } from "../slides/layerIndex";
import type { Manifest } from "../slides/manifest";
import { inParallel } from "../slides/parallel";
import type { BlockRange, SlideClient, Traffic } from "../slides/slideClient";
import { crc32c } from "../stored/crc32c";
import { CoalescingReader } from "./coalescing";
import { type Directory, SHARD, directoryBytes, parseDirectory } from "./directory";
import { SlideFileError } from "./errors";
import type { SlideFolder } from "./folder";
import { type Placement, bytesOfLayers, placementOf } from "./placement";

export const INDEX = "layer-index";
/** Pages whose placements are held: 8 kB and their lengths each. */
const MOST_PAGES = 256;

type Described = Pick<Manifest, "width" | "height" | "planes" | "layers" | "parameters" | "groups">;

export class FilesSlideClient implements SlideClient {
  private readonly pyramid: Pyramid;
  private readonly reader: CoalescingReader;
  private directory: Promise<Directory> | null = null;
  private readonly pages = new Map<string, Promise<Placement>>();

  constructor(
    private readonly manifest: Described,
    folder: SlideFolder,
    traffic: Traffic,
    later?: (work: () => void) => void,
  ) {
    this.pyramid = new Pyramid(manifest.width, manifest.height);
    this.reader = new CoalescingReader(folder, traffic, later);
  }

  async layerIndexPage(z: number, c: number, level: number, page: number): Promise<LayerIndexPage> {
    return (await this.placement(z, c, level, page)).index;
  }

  async approximationLayer(z: number, c: number, layer: number, signal?: AbortSignal): Promise<Uint8Array> {
    const ends = (await this.open()).approximationEnds(this.picture(z, c));
    return this.reader.read(`approximation/c.${z}.${c}.0.0`, layer > 0 ? ends[layer - 1]! : 0, ends[layer]!, signal);
  }

  batch(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    return inParallel(ranges, ranges.length, (range, index) => this.frame(range, index, signal));
  }

  get(ranges: readonly BlockRange[], signal?: AbortSignal): AsyncIterable<Frame> {
    return this.batch(ranges, signal);
  }

  tile(): Promise<Blob> {
    return Promise.reject(
      new SlideFileError("unsupported", "this browser cannot decode the slide, and no service does"),
    );
  }

  close(): void {
    this.reader.close();
  }

  private get groups(): number {
    return this.manifest.groups?.channel_groups ?? 1;
  }

  /** The number of a plane of a channel group in the order of the files. */
  private picture(z: number, c: number): number {
    return z * this.groups + c;
  }

  /** The parameter set of a level and channel group. */
  private parameters(level: number, c: number): Uint8Array {
    const { groups, parameters } = this.manifest;
    return bytesOfHex((groups ? groups.parameters[level]?.[c] : parameters[level]) ?? "");
  }

  private async frame(range: BlockRange, index: number, signal?: AbortSignal): Promise<Frame> {
    try {
      const payload = await this.block(range, signal);
      return payload
        ? { index, status: FRAME_STATUS.ok, payload }
        : { index, status: FRAME_STATUS.empty, payload: new Uint8Array(0) };
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      return { index, status: FRAME_STATUS.corrupt, payload: new TextEncoder().encode(error.message) };
    }
  }

  /** The layers of a block; null: it is empty. */
  private async block({ address: a, from, to }: BlockRange, signal?: AbortSignal): Promise<Uint8Array | null> {
    const { page } = pageOf(this.pyramid.tiles(a.level).columns, a.x, a.y);
    const [directory, placement] = await Promise.all([this.open(), this.placement(a.z, a.c, a.level, page)]);
    const [sx, sy] = [Math.floor(a.x / SHARD), Math.floor(a.y / SHARD)];
    const bytes = bytesOfLayers(
      placement,
      a.x,
      a.y,
      { from, to },
      directory.shardBytes(this.picture(a.z, a.c), a.level, sx, sy),
    );
    const path = `levels/${a.level}/c.${a.z}.${a.c}.0.${sy}.${sx}`;
    return bytes && this.reader.read(path, bytes.from, bytes.to, signal);
  }

  /** Not aborted with the request that needs it first: others need it, too. A failed one is read again. */
  private open(): Promise<Directory> {
    this.directory ??= this.readDirectory();
    this.directory.catch(() => (this.directory = null));
    return this.directory;
  }

  private async readDirectory(): Promise<Directory> {
    const { planes, layers } = this.manifest;
    const shape = { pyramid: this.pyramid, pictures: planes * this.groups, layers };
    const bytes = await this.reader.read(INDEX, 0, directoryBytes(shape));
    return parseDirectory(bytes, shape, crc32c(this.parameters(this.pyramid.top, 0)));
  }

  private placement(z: number, c: number, level: number, page: number): Promise<Placement> {
    const key = `${z}/${c}/${level}/${page}`;
    const known = this.pages.get(key);
    const found = known ?? this.readPage(z, c, level, page);
    this.pages.delete(key);
    this.pages.set(key, found); // the last one used is the last one to go
    if (known) return known;
    found.catch(() => this.pages.delete(key));
    for (const [oldest] of this.pages) if (this.pages.size > MOST_PAGES) this.pages.delete(oldest);
    return found;
  }

  private async readPage(z: number, c: number, level: number, page: number): Promise<Placement> {
    const { offset, length } = (await this.open()).page(this.picture(z, c), level, page);
    const bytes = await this.reader.read(INDEX, offset, offset + length);
    const parsed = parseLayerIndexPage(bytes, pageSeed(this.parameters(level, c), z, page));
    if (parsed.layers !== this.manifest.layers) throw new CorruptError("layer index page: of another slide");
    return placementOf(parsed);
  }
}
