/** What a canvas shows of a level, as a rectangle of it: pure arithmetic. */
import type { Size } from "@wavescope/core/geometry/pyramid";
import { transformBack, turnMatrix } from "../../core/rotation";
import type { Placement } from "../../core/tileLayout";

/** In pixels of a level, or of the canvas. */
export interface Rectangle extends Size {
  readonly x: number;
  readonly y: number;
}

export interface Turn {
  readonly rotation: number;
  readonly flip: boolean;
}

export interface ShownRectangle {
  /** Of the level: all pixels that are seen, also in part. */
  readonly level: Rectangle;
  /** Of the canvas: what these pixels cover of it, within its edges. */
  readonly canvas: Rectangle;
  /** Where the corner of `level` lies on the canvas before the slide is turned: left of the canvas or above it where a pixel is cut. */
  readonly corner: readonly [number, number];
}

/** Nearer than this to a whole pixel is meant to be whole. */
const NOISE = 1e-3;

/** Null: nothing of the slide is in view. `placement`: of level 0, snapped as it is drawn. */
export function shownRectangle(
  canvas: Size,
  { canvas_x, canvas_y, l0_scale }: Placement,
  { rotation, flip }: Turn,
  level: number,
  levelSize: Size,
): ShownRectangle | null {
  const scale = l0_scale * 2 ** level;
  const matrix = turnMatrix(canvas.width, canvas.height, rotation, flip);
  const corners = [
    [0, 0],
    [canvas.width, 0],
    [canvas.width, canvas.height],
    [0, canvas.height],
  ].map(([x, y]) => transformBack(matrix, x!, y!));
  const [across, down] = [0, 1].map((axis) => corners.map((corner) => corner[axis]!)) as [number[], number[]];
  const [left, right] = whole(across, canvas_x, scale, levelSize.width);
  const [top, bottom] = whole(down, canvas_y, scale, levelSize.height);
  if (left >= right || top >= bottom) return null;
  const corner = [canvas_x + left * scale, canvas_y + top * scale] as const;
  const covered: Rectangle = { x: 0, y: 0, ...canvas };
  return {
    level: { x: left, y: top, width: right - left, height: bottom - top },
    canvas: isUpright({ rotation, flip })
      ? meet(covered, corner, (right - left) * scale, (bottom - top) * scale)
      : covered,
    corner,
  };
}

/** Whether the slide is neither turned nor mirrored: then its pixels lie on the canvas in their own order. */
export function isUpright({ rotation, flip }: Turn): boolean {
  const [a, , , d] = turnMatrix(0, 0, rotation, flip);
  return a === 1 && d === 1;
}

/** The first pixel of a level that some places of the canvas show, and the one after the last. */
function whole(places: readonly number[], origin: number, scale: number, size: number): [number, number] {
  const first = Math.floor((Math.min(...places) - origin) / scale + NOISE);
  const end = Math.ceil((Math.max(...places) - origin) / scale - NOISE);
  return [Math.max(0, first), Math.min(size, end)];
}

function meet({ width, height }: Size, [x, y]: readonly [number, number], across: number, down: number): Rectangle {
  const [left, top] = [Math.max(0, Math.floor(x + NOISE)), Math.max(0, Math.floor(y + NOISE))];
  const right = Math.min(width, Math.ceil(x + across - NOISE));
  const bottom = Math.min(height, Math.ceil(y + down - NOISE));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
