/** The pixels of a whole slide, coarse: for what is estimated of all of it. */
import { type Pyramid, TILE } from "@wavescope/core/geometry/pyramid";
import type { Microscope } from "../core/microscope";

/** The finest level with at most so many pixels (SN8). */
export function levelWithin(pyramid: Pyramid, pixels: number): number {
  let level = 0;
  for (; level < pyramid.top; level++) {
    const { width, height } = pyramid.levelSize(level);
    if (width * height <= pixels) break;
  }
  return level;
}

/** RGBA of a level in the plane that is shown, tile after tile; fetches what is missing. */
export async function pixelsOfLevel(microscope: Microscope, level: number): Promise<Uint8ClampedArray> {
  const { pyramid, plane, manifest } = microscope;
  const { columns, rows } = pyramid.tiles(level);
  const addresses = Array.from({ length: columns * rows }, (_, i) => [i % columns, Math.floor(i / columns)] as const);
  const size = pyramid.levelSize(level);
  const all = new Uint8ClampedArray(4 * size.width * size.height);
  let at = 0;
  const tiles = addresses.map(([x, y]) => microscope.pixels(plane, level, x, y, manifest.layers));
  for (const [i, { rgba, width }] of (await Promise.all(tiles)).entries()) {
    const inside = pyramid.tileSize(level, ...addresses[i]!);
    for (let row = 0; row < inside.height; row++) {
      all.set(rgba.subarray(4 * row * width, 4 * (row * width + Math.min(TILE, inside.width))), at);
      at += 4 * inside.width;
    }
  }
  return all;
}
