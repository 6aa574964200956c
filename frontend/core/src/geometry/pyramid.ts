/**
 * Levels, tiles and addresses: pure values, no pixels. The twin of backend/src/wavescope/geometry.py.
 *
 * `l0_` are level-0 pixels, `ln_` level-n pixels. Level 0 is full resolution; each level up halves both sides, rounding up.
 */

/** Side of a tile in samples; the service and the kernel have the same constant. */
export const TILE = 256;

/** The address of one block: focal plane, channel group, level, and the tile's column and row on that level. */
export interface Address {
  readonly z: number;
  readonly c: number;
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Column and row of a tile within its parent. */
export type Quadrant = readonly [0 | 1, 0 | 1];

export function address(z: number, level: number, x: number, y: number, c = 0): Address {
  return { z, c, level, x, y };
}

/** A name that is unique within one slide version. */
export function keyOf(a: Address): string {
  return `${a.z}/${a.c}/${a.level}/${a.x}/${a.y}`;
}

export function sameAddress(a: Address, b: Address): boolean {
  return a.z === b.z && a.c === b.c && a.level === b.level && a.x === b.x && a.y === b.y;
}

/** The tile one level up whose quadrant this tile is. */
export function parentOf(a: Address): Address {
  return { z: a.z, c: a.c, level: a.level + 1, x: a.x >> 1, y: a.y >> 1 };
}

export function quadrantOf(a: Address): Quadrant {
  return [(a.x & 1) as 0 | 1, (a.y & 1) as 0 | 1];
}

/** The levels of a slide of `width` x `height` level-0 pixels. */
export class Pyramid implements Size {
  /** L, the first level that fits one tile; it is stored complete. */
  readonly top: number;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    let top = 0;
    while (Math.max(width, height) > TILE * 2 ** top) top += 1;
    this.top = top;
  }

  levelSize(level: number): Size {
    const scale = 2 ** level;
    return { width: Math.ceil(this.width / scale), height: Math.ceil(this.height / scale) };
  }

  /** Columns and rows of tiles on a level. */
  tiles(level: number): { readonly columns: number; readonly rows: number } {
    const size = this.levelSize(level);
    return { columns: Math.ceil(size.width / TILE), rows: Math.ceil(size.height / TILE) };
  }

  /** The part of a tile that lies inside the slide (at most TILE x TILE). */
  tileSize(level: number, x: number, y: number): Size {
    const size = this.levelSize(level);
    return { width: Math.min(TILE, size.width - TILE * x), height: Math.min(TILE, size.height - TILE * y) };
  }

  contains(a: Address): boolean {
    if (a.level < 0 || a.level > this.top) return false;
    const { columns, rows } = this.tiles(a.level);
    return a.x >= 0 && a.y >= 0 && a.x < columns && a.y < rows;
  }

  /** The tile itself and its ancestors up to and including the top level, from fine to coarse. */
  chain(a: Address): Address[] {
    const chain = [a];
    while (chain[chain.length - 1]!.level < this.top) chain.push(parentOf(chain[chain.length - 1]!));
    return chain;
  }
}
