/**
 * Tiles of the viewer's pyramid of halves from a file's own levels (LI6): a level that the file has is read as it is; another is made of
 * the means of 2 x 2 pixels of the level below.
 */
import { type Address, Pyramid, TILE } from "../geometry/pyramid";
import { ByteLru } from "../codec/byteLru";
import type { LocalPicture } from "./localPicture";
import { levelOf } from "./tiff/pages";

/** Bytes of tiles that are made of others. */
const CACHE_BYTES = 16 << 20;

export type TilePlace = Pick<Address, "level" | "x" | "y">;

export class TileMaker {
  readonly pyramid: Pyramid;
  /** By level of the pyramid: that of the file. */
  private readonly own: ReadonlyMap<number, number>;
  private readonly made = new ByteLru<Uint8Array>(CACHE_BYTES);

  constructor(private readonly picture: LocalPicture) {
    this.pyramid = new Pyramid(picture.width, picture.height);
    this.own = new Map(picture.levels.map((size, i) => [levelOf(picture, size), i]));
  }

  /** Interleaved RGB, clipped to the level. Throws as `LocalPicture.readRegion`. */
  async tile(place: TilePlace, signal?: AbortSignal): Promise<Uint8Array> {
    const own = this.own.get(place.level);
    if (own !== undefined) return this.read(own, place, signal);
    const key = `${place.level}/${place.x}/${place.y}`;
    const known = this.made.get(key);
    if (known) return known;
    const pixels = await this.halved(place, signal);
    this.made.set(key, pixels, pixels.length);
    return pixels;
  }

  /** A whole level. Throws as `tile`. */
  async level(level: number): Promise<Uint8Array> {
    const { width, height } = this.pyramid.levelSize(level);
    const { columns, rows } = this.pyramid.tiles(level);
    const whole = new Uint8Array(3 * width * height);
    for (let y = 0; y < rows; y += 1)
      for (let x = 0; x < columns; x += 1) {
        const pixels = await this.tile({ level, x, y });
        const rowBytes = 3 * this.pyramid.tileSize(level, x, y).width;
        for (let row = 0; row * rowBytes < pixels.length; row += 1)
          whole.set(pixels.subarray(row * rowBytes, (row + 1) * rowBytes), 3 * ((TILE * y + row) * width + TILE * x));
      }
    return whole;
  }

  /** As the file has it. Its level can be a pixel smaller than the pyramid's: the last column and row are repeated. */
  private async read(own: number, { level, x, y }: TilePlace, signal?: AbortSignal): Promise<Uint8Array> {
    const { width, height } = this.pyramid.tileSize(level, x, y);
    const file = this.picture.levels[own]!;
    const [left, top] = [Math.min(TILE * x, file.width - 1), Math.min(TILE * y, file.height - 1)];
    const [wide, high] = [Math.min(width, file.width - left), Math.min(height, file.height - top)];
    const pixels = await this.picture.readRegion(own, left, top, wide, high, signal);
    return wide === width && high === height ? pixels : extended(pixels, wide, high, width, height);
  }

  private async halved({ level, x, y }: TilePlace, signal?: AbortSignal): Promise<Uint8Array> {
    const below = this.pyramid.levelSize(level - 1);
    const { width, height } = this.pyramid.tileSize(level, x, y);
    const tile = new Uint8Array(3 * width * height);
    for (const [across, down] of QUADRANTS) {
      const child = { level: level - 1, x: 2 * x + across, y: 2 * y + down };
      if (child.x * TILE >= below.width || child.y * TILE >= below.height) continue;
      const size = this.pyramid.tileSize(child.level, child.x, child.y);
      const pixels = await this.tile(child, signal);
      halve(pixels, size.width, size.height, tile, 3 * ((down * TILE * width) / 2 + (across * TILE) / 2), 3 * width);
    }
    return tile;
  }
}

const QUADRANTS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** Writes the rounded means of 2 x 2 pixels; beyond an odd side the last pixel counts twice. */
function halve(
  pixels: Uint8Array,
  width: number,
  height: number,
  into: Uint8Array,
  from: number,
  stride: number,
): void {
  for (let y = 0; y < height; y += 2) {
    const [above, under] = [3 * width * y, 3 * width * Math.min(y + 1, height - 1)];
    for (let x = 0; x < width; x += 2) {
      const [left, right] = [3 * x, 3 * Math.min(x + 1, width - 1)];
      const at = from + (y / 2) * stride + (3 * x) / 2;
      for (let c = 0; c < 3; c += 1) {
        const sum =
          pixels[above + left + c]! +
          pixels[above + right + c]! +
          pixels[under + left + c]! +
          pixels[under + right + c]!;
        into[at + c] = (sum + 2) >> 2;
      }
    }
  }
}

function extended(pixels: Uint8Array, wide: number, high: number, width: number, height: number): Uint8Array {
  const larger = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = 3 * (Math.min(y, high - 1) * wide + Math.min(x, wide - 1));
      larger.set(pixels.subarray(from, from + 3), 3 * (y * width + x));
    }
  return larger;
}
