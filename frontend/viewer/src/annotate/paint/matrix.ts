/** From level-0 pixels to device pixels of the canvas and back: one affine matrix, as the drawer places the slide. Pure. */
import type { Box } from "@wavescope/core/geometry/shape";
import type { Placement } from "../../core/tileLayout";

/** canvas_x = a x + c y + e, canvas_y = b x + d y + f. */
export interface Matrix {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** The slide placed, turned clockwise by degrees about the canvas's middle, then flipped left to right. */
export function matrixOf(placement: Placement, width: number, height: number, degrees: number, flip: boolean): Matrix {
  const { canvas_x, canvas_y, l0_scale } = placement;
  const turn = (degrees * Math.PI) / 180;
  const [cos, sin] = degrees % 360 === 0 ? [1, 0] : [Math.cos(turn), Math.sin(turn)];
  const side = flip ? -1 : 1;
  const [x0, y0] = [canvas_x - width / 2, canvas_y - height / 2];
  return {
    a: side * l0_scale * cos,
    b: l0_scale * sin,
    c: -side * l0_scale * sin,
    d: l0_scale * cos,
    e: side * (x0 * cos - y0 * sin) + width / 2,
    f: x0 * sin + y0 * cos + height / 2,
  };
}

export const scaleOf = ({ a, b }: Matrix): number => Math.hypot(a, b);

export function onCanvas({ a, b, c, d, e, f }: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

export function onSlide({ a, b, c, d, e, f }: Matrix, canvas_x: number, canvas_y: number): [number, number] {
  const determinant = a * d - b * c;
  const [x, y] = [canvas_x - e, canvas_y - f];
  return [(d * x - c * y) / determinant, (a * y - b * x) / determinant];
}

/** The box of the slide that a canvas shows, with a margin in device pixels. */
export function visibleBox(matrix: Matrix, width: number, height: number, margin = 0): Box {
  const corners = [
    [-margin, -margin],
    [width + margin, -margin],
    [-margin, height + margin],
    [width + margin, height + margin],
  ];
  const points = corners.map(([x, y]) => onSlide(matrix, x!, y!));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

/** What comes after `first`: the matrix of both together. */
export function after(first: Matrix, then: Matrix): Matrix {
  const [e, f] = onCanvas(then, first.e, first.f);
  return {
    a: then.a * first.a + then.c * first.b,
    b: then.b * first.a + then.d * first.b,
    c: then.a * first.c + then.c * first.d,
    d: then.b * first.c + then.d * first.d,
    e,
    f,
  };
}

export function inverse(matrix: Matrix): Matrix {
  const { a, b, c, d } = matrix;
  const determinant = a * d - b * c;
  const [e, f] = onSlide(matrix, 0, 0);
  return { a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant, e, f };
}

export const shifted = (matrix: Matrix, x: number, y: number): Matrix => ({
  ...matrix,
  e: matrix.e + x,
  f: matrix.f + y,
});

export const sameMatrix = (a: Matrix, b: Matrix): boolean =>
  a.a === b.a && a.b === b.b && a.c === b.c && a.d === b.d && a.e === b.e && a.f === b.f;
