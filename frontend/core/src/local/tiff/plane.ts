/** One picture of a TIFF: regions from its tiles or strips, decoded and cached. The twin of backend/src/wavescope/source/tiff/plane.py. */
import type { ByteLru } from "../../codec/byteLru";
import type { Size } from "../../geometry/pyramid";
import { SlideFileError } from "../../wire/files/errors";
import { type Codecs, DamagedTileError } from "../codecs/codecs";
import { inflate } from "../codecs/inflate";
import { checkJpeg, wholeJpeg } from "../codecs/jpeg";
import { checkRange } from "../codecs/jpegRange";
import { decodeLzw } from "../codecs/lzw";
import { type Directory, MAX_TILES, TAG } from "./directories";
import { COMPRESSION, type Layout, isDeflate, layoutOf } from "./layout";

/** Interleaved RGB of a tile or strip. */
export type Segments = ByteLru<Promise<Uint8Array>>;

/** Where a TIFF says that a tile is not stored, there is glass. */
const ABSENT = 255;
/** A tile that is larger as stored than as pixels, by more than its headers, is none. */
const SPARE_BYTES = 1 << 20;

export class TiffPlane {
  private constructor(
    readonly layout: Layout,
    private readonly directory: Directory,
    private readonly offsets: Float64Array,
    private readonly counts: Float64Array,
    private readonly tables: Uint8Array | null,
    private readonly codecs: Codecs,
  ) {}

  /** Throws SlideFileError, OfflineError, the caller's abort. */
  static async open(directory: Directory, codecs: Codecs, signal?: AbortSignal): Promise<TiffPlane> {
    const layout = await layoutOf(directory, signal);
    const [at, of] = layout.tiled ? [TAG.tileOffsets, TAG.tileCounts] : [TAG.stripOffsets, TAG.stripCounts];
    const offsets = await directory.integers(at, MAX_TILES, signal);
    const counts = await directory.integers(of, MAX_TILES, signal);
    checkIndex(directory, layout, offsets, counts);
    const tables = await directory.bytes(TAG.jpegTables, signal);
    return new TiffPlane(layout, directory, offsets, counts, tables, codecs);
  }

  /** Whether the file leaves out a tile. */
  get lacksTiles(): boolean {
    return this.counts.includes(0);
  }

  /** Interleaved RGB of a region that lies inside the picture. Throws as `open`. */
  async read(
    cache: Segments,
    x: number,
    y: number,
    { width, height }: Size,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const { segmentWidth: wide, segmentHeight: high, columns } = this.layout;
    signal?.throwIfAborted();
    const region = new Uint8Array(3 * width * height);
    const wanted: { readonly column: number; readonly row: number; readonly pixels: Promise<Uint8Array> }[] = [];
    for (let row = Math.floor(y / high); row * high < y + height; row += 1)
      for (let column = Math.floor(x / wide); column * wide < x + width; column += 1)
        wanted.push({ column, row, pixels: this.segment(cache, row * columns + column) });
    const settled = await Promise.all(wanted.map(({ pixels }) => pixels));
    signal?.throwIfAborted();
    for (const [i, { column, row }] of wanted.entries()) {
      const [left, top] = [Math.max(x, column * wide), Math.max(y, row * high)];
      const right = Math.min(x + width, (column + 1) * wide);
      const bottom = Math.min(y + height, (row + 1) * high);
      for (let line = top; line < bottom; line += 1) {
        const from = 3 * ((line - row * high) * wide + left - column * wide);
        region.set(settled[i]!.subarray(from, from + 3 * (right - left)), 3 * ((line - y) * width + left - x));
      }
    }
    return region;
  }

  /** Of all who wait for it: an abort ends no decoding. */
  private segment(cache: Segments, index: number): Promise<Uint8Array> {
    const key = `${this.layout.width}/${index}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const { width, height } = this.segmentSize(index);
    const decoding = this.decode(index);
    cache.set(key, decoding, 3 * width * height);
    decoding.catch(() => cache.peek(key) === decoding && cache.delete(key));
    return decoding;
  }

  private segmentSize(index: number): Size {
    const { tiled, segmentWidth: width, segmentHeight, columns, height } = this.layout;
    const row = Math.floor(index / columns);
    return { width, height: tiled ? segmentHeight : Math.min(segmentHeight, height - row * segmentHeight) };
  }

  private async decode(index: number): Promise<Uint8Array> {
    const size = this.segmentSize(index);
    const length = 3 * size.width * size.height;
    const count = this.counts[index]!;
    const { file } = this.directory;
    if (count === 0) return new Uint8Array(length).fill(ABSENT);
    const bytes = await file.read(this.offsets[index]!, this.offsets[index]! + count);
    try {
      return await this.decodeBytes(bytes, size, length);
    } catch (cause) {
      if (!(cause instanceof DamagedTileError)) throw cause;
      const kind = this.layout.tiled ? "tile" : "strip";
      throw new SlideFileError("malformed", `${file.name}: ${kind} ${index} is damaged: ${cause.message}`, { cause });
    }
  }

  private async decodeBytes(bytes: Uint8Array, size: Size, length: number): Promise<Uint8Array> {
    const { compression, ycbcr, differences } = this.layout;
    if (compression === COMPRESSION.jpeg) {
      const whole = wholeJpeg(bytes, this.tables, ycbcr);
      checkJpeg(whole, size);
      const pixels = await this.codecs.jpeg(whole, size);
      checkRange(whole);
      return pixels;
    }
    if (compression === COMPRESSION.jpeg2000) return this.codecs.jpeg2000(bytes, size);
    const pixels = isDeflate(compression)
      ? await inflate(bytes, length)
      : compression === COMPRESSION.lzw
        ? decodeLzw(bytes, length)
        : bytes.subarray(0, length);
    if (pixels.length < length) throw new DamagedTileError(`it has ${pixels.length} bytes of ${length}`);
    if (differences) addUp(pixels, 3 * size.width);
    return pixels;
  }
}

/** Horizontal differencing (TIFF 6.0, section 14), undone in place. */
function addUp(pixels: Uint8Array, rowBytes: number): void {
  for (let row = 0; row < pixels.length; row += rowBytes)
    for (let at = row + 3; at < row + rowBytes; at += 1) pixels[at] = (pixels[at]! + pixels[at - 3]!) & 255;
}

function checkIndex(directory: Directory, layout: Layout, offsets: Float64Array, counts: Float64Array): void {
  const { file, size } = directory;
  const expected = layout.columns * layout.rows;
  if (Math.min(offsets.length, counts.length) < expected)
    throw new SlideFileError("malformed", `${file.name}: its index names ${offsets.length} of ${expected} tiles`);
  const most = 3 * layout.segmentWidth * layout.segmentHeight + SPARE_BYTES;
  for (let i = 0; i < expected; i += 1) {
    if (offsets[i]! + counts[i]! > size) throw new SlideFileError("truncated", `${file.name}: it is cut off`);
    if (counts[i]! > most) throw new SlideFileError("too-large", `${file.name}: a tile of ${counts[i]} bytes`);
  }
}
