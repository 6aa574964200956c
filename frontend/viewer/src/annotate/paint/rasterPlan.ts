/** Which part of the slide a picture of annotations shows, and whether it still serves another view. Pure; device pixels. */
import { type Matrix, after, inverse, onSlide, sameMatrix, scaleOf, shifted } from "./matrix";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture larger than the view that it was made for. */
export interface RasterPlan extends Size {
  /** Level-0 pixels to the view's, as the view was. */
  readonly matrix: Matrix;
  /** The picture's left upper corner in that view: zero or negative, where it reaches beyond. */
  readonly left: number;
  readonly top: number;
}

const MARGIN = 0.3; // of the view, on each side
const MAX_PIXELS = 12_000_000; // of the picture; a large view gets a smaller margin
const AHEAD = 12; // frames that the picture may lie ahead of a moving view
const MIN_MARGIN = 0.1; // of the view: with less margin left, a moving view gets another picture
const MAX_STRETCHED = 1.4;
const MAX_SHIFT = 0.1; // of the view in a frame

/** A picture for a view that moves by so many pixels a frame: it lies ahead. Its numbers are whole. `beyond`: part of the view on each side. */
export function planRaster(
  matrix: Matrix,
  view: Size,
  velocity: readonly [number, number],
  beyond = MARGIN,
): RasterPlan {
  const { width, height } = view;
  const most = (Math.sqrt(MAX_PIXELS / (width * height)) - 1) / 2;
  const margin = Math.max(0, Math.min(beyond, most));
  const [across, down] = [Math.round(width * margin), Math.round(height * margin)];
  const ahead = (moved: number, least: number): number =>
    Math.round(Math.max(-0.8 * least, Math.min(0.8 * least, -AHEAD * moved))) + 0; // never -0
  return {
    matrix,
    left: ahead(velocity[0], across) - across,
    top: ahead(velocity[1], down) - down,
    width: width + 2 * across,
    height: height + 2 * down,
  };
}

/** Pixels that the view moved since the frame before; none where it leapt, turned or came nearer: the next frame will not go on so. */
export function velocityOf(before: Matrix, now: Matrix, { width, height }: Size): readonly [number, number] {
  const [across, down] = [now.e - before.e, now.f - before.f];
  const isShift = now.a === before.a && now.b === before.b && now.c === before.c && now.d === before.d;
  return isShift && Math.abs(across) < MAX_SHIFT * width && Math.abs(down) < MAX_SHIFT * height
    ? [across, down]
    : [0, 0];
}

/** From level-0 pixels to the picture's. */
export const onRaster = ({ matrix, left, top }: RasterPlan): Matrix => shifted(matrix, -left, -top);

/** How the picture has to be moved so that it lies right in another view: from the view that it was made for to that one. */
export function viewTransform(plan: RasterPlan, matrix: Matrix): Matrix {
  if (sameMatrix(plan.matrix, matrix)) return IDENTITY;
  const moved = after(inverse(plan.matrix), matrix);
  const turned = Math.abs(moved.a - 1) + Math.abs(moved.b) + Math.abs(moved.c) + Math.abs(moved.d - 1);
  if (turned > 1e-9) return moved;
  return { ...IDENTITY, e: matrix.e - plan.matrix.e, f: matrix.f - plan.matrix.f };
}

const IDENTITY: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** Whether the picture, moved, is what would be drawn for the view: nothing is missing, no pixel is between others. */
export function isExact(plan: RasterPlan, matrix: Matrix, view: Size): boolean {
  const { a, b, c, d, e, f } = viewTransform(plan, matrix);
  const isWhole = Math.abs(e - Math.round(e)) < 1e-3 && Math.abs(f - Math.round(f)) < 1e-3;
  return a === 1 && b === 0 && c === 0 && d === 1 && isWhole && marginOf(plan, matrix, view) >= 0;
}

/** Whether the picture is good enough while the view moves. */
export function isNear(plan: RasterPlan, matrix: Matrix, view: Size): boolean {
  const stretched = scaleOf(matrix) / scaleOf(plan.matrix);
  return (
    stretched < MAX_STRETCHED &&
    stretched > 1 / MAX_STRETCHED &&
    marginOf(plan, matrix, view) >= MIN_MARGIN * Math.min(view.width, view.height)
  );
}

/** How far the view lies inside of the picture on its narrowest side; negative: it reaches beyond. */
function marginOf(plan: RasterPlan, matrix: Matrix, { width, height }: Size): number {
  const back = viewTransform(plan, matrix);
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map(([x, y]) => onSlide(back, x!, y!));
  const [xs, ys] = [corners.map(([x]) => x - plan.left), corners.map(([, y]) => y - plan.top)];
  return Math.min(...xs, ...ys, plan.width - Math.max(...xs), plan.height - Math.max(...ys));
}
