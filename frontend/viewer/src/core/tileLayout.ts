/** Where tiles lie on the canvas: pure arithmetic, in device pixels. */
import { type Size, TILE } from "@wavescope/core/geometry/pyramid";

/** The slide on the canvas: where its level-0 origin lies and how many device pixels a level-0 pixel covers. */
export interface Placement {
  readonly canvas_x: number;
  readonly canvas_y: number;
  readonly l0_scale: number;
}

export interface TileRect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** One pixel of the tile is exactly a whole number of device pixels, on whole positions. */
  readonly whole: boolean;
}

/** Nearer than this to a whole number is meant to be whole: the rest is the noise of springs and divisions. */
const NOISE = 1e-6;
/** A hundredth of a device pixel over the width of a large canvas is not visible. */
const EDGE_NOISE = 1e-3;

/**
 * Where the wanted level is drawn at a whole scale, the slide is moved as one to whole positions (by half a device pixel at
 * most), and so is exact. The wanted level decides, not the finest that is there already: nothing moves when finer tiles come.
 */
export function snapPlacement(placement: Placement, wantedLevel: number): Placement {
  const scale = placement.l0_scale * 2 ** wantedLevel;
  const whole = Math.round(scale);
  if (whole < 1 || Math.abs(scale - whole) > NOISE * whole) return placement;
  return {
    canvas_x: Math.round(placement.canvas_x),
    canvas_y: Math.round(placement.canvas_y),
    l0_scale: whole / 2 ** wantedLevel,
  };
}

export function rectOf(placement: Placement, level: number, x: number, y: number, size: Size): TileRect {
  const scale = placement.l0_scale * 2 ** level;
  const left = snapEdge(placement.canvas_x + x * TILE * scale);
  const top = snapEdge(placement.canvas_y + y * TILE * scale);
  const right = snapEdge(placement.canvas_x + (x * TILE + size.width) * scale);
  const bottom = snapEdge(placement.canvas_y + (y * TILE + size.height) * scale);
  const whole = Number.isInteger(scale) && scale >= 1 && [left, top, right, bottom].every(Number.isInteger);
  return { left, top, right, bottom, whole };
}

/** The part of a tile's ancestor, `up` levels above it, that shows what the tile shows: in the ancestor's own pixels. */
export function partOfAncestor(
  { x, y, size }: { x: number; y: number; size: Size },
  up: number,
): { x: number; y: number; width: number; height: number } {
  const shrunk = 2 ** up;
  return {
    x: ((x % shrunk) * TILE) / shrunk,
    y: ((y % shrunk) * TILE) / shrunk,
    width: size.width / shrunk,
    height: size.height / shrunk,
  };
}

function snapEdge(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < EDGE_NOISE ? whole : value;
}
