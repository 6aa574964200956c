import { type Address, type Pyramid, TILE, address } from "./pyramid";

/** A rectangle in level-0 pixels; it may reach beyond the slide. */
export interface Region {
  readonly l0_x: number;
  readonly l0_y: number;
  readonly l0_width: number;
  readonly l0_height: number;
}

/**
 * The level to draw when one level-0 pixel covers `l0_scale` device pixels: the coarsest whose pixels cover more than half a
 * device pixel. Exactly half goes to the coarser level, so that each level at exactly 1:1 is drawn by itself.
 */
export const COARSEST_PIXEL = 0.5001;

export function levelForScale(pyramid: Pyramid, l0_scale: number): number {
  let level = 0;
  while (level < pyramid.top && l0_scale * 2 ** level < COARSEST_PIXEL) level += 1;
  return level;
}

/** The tiles of one level that a region touches, nearest to the region's centre first. */
export function tilesInRegion(pyramid: Pyramid, z: number, level: number, region: Region): Address[] {
  const l0_tile = TILE * 2 ** level;
  const { columns, rows } = pyramid.tiles(level);
  const first = (start: number): number => Math.max(0, Math.floor(start / l0_tile));
  const last = (end: number, count: number): number => Math.min(count - 1, Math.ceil(end / l0_tile) - 1);
  const found: Address[] = [];
  for (let y = first(region.l0_y); y <= last(region.l0_y + region.l0_height, rows); y += 1) {
    for (let x = first(region.l0_x); x <= last(region.l0_x + region.l0_width, columns); x += 1) {
      found.push(address(z, level, x, y));
    }
  }
  const centre_x = (region.l0_x + region.l0_width / 2) / l0_tile - 0.5;
  const centre_y = (region.l0_y + region.l0_height / 2) / l0_tile - 0.5;
  const distance = (a: Address): number => (a.x - centre_x) ** 2 + (a.y - centre_y) ** 2;
  return found.sort((a, b) => distance(a) - distance(b));
}
