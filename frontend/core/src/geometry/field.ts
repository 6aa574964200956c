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

export function levelForScale(pyramid: Pick<Pyramid, "top">, l0_scale: number): number {
  let level = 0;
  while (level < pyramid.top && l0_scale * 2 ** level < COARSEST_PIXEL) level += 1;
  return level;
}

/**
 * The tiles of one level that a field of view touches, nearest to its centre first. `rotation`: degrees by which the slide is turned
 * clockwise on the screen; the field is then `region` turned the other way about its centre.
 */
export function tilesInRegion(pyramid: Pyramid, z: number, level: number, region: Region, rotation = 0): Address[] {
  const l0_tile = TILE * 2 ** level;
  const { columns, rows } = pyramid.tiles(level);
  const centre = { l0_x: region.l0_x + region.l0_width / 2, l0_y: region.l0_y + region.l0_height / 2 };
  const turn = (-rotation * Math.PI) / 180;
  const { half_x, half_y } = halfExtents(region.l0_width, region.l0_height, turn);
  const first = (start: number): number => Math.max(0, Math.floor(start / l0_tile));
  const last = (end: number, count: number): number => Math.min(count - 1, Math.ceil(end / l0_tile) - 1);
  const tile = halfExtents(l0_tile, l0_tile, turn);
  const found: Address[] = [];
  for (let y = first(centre.l0_y - half_y); y <= last(centre.l0_y + half_y, rows); y += 1) {
    for (let x = first(centre.l0_x - half_x); x <= last(centre.l0_x + half_x, columns); x += 1) {
      // Along the field's own axes: does the tile's shadow meet the field?
      const across = (x + 0.5) * l0_tile - centre.l0_x;
      const down = (y + 0.5) * l0_tile - centre.l0_y;
      const own_x = Math.abs(across * Math.cos(turn) + down * Math.sin(turn));
      const own_y = Math.abs(down * Math.cos(turn) - across * Math.sin(turn));
      const apart = own_x >= region.l0_width / 2 + tile.half_x || own_y >= region.l0_height / 2 + tile.half_y;
      if (!apart || rotation === 0) found.push(address(z, level, x, y));
    }
  }
  const distance = (a: Address): number =>
    ((a.x + 0.5) * l0_tile - centre.l0_x) ** 2 + ((a.y + 0.5) * l0_tile - centre.l0_y) ** 2;
  return found.sort((a, b) => distance(a) - distance(b));
}

/** Half of the width and height of the upright box around a rectangle that is turned by so many radians. */
function halfExtents(width: number, height: number, turn: number): { half_x: number; half_y: number } {
  const cos = Math.abs(Math.cos(turn));
  const sin = Math.abs(Math.sin(turn));
  return { half_x: (width * cos + height * sin) / 2, half_y: (width * sin + height * cos) / 2 };
}
