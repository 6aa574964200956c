/** A canvas with a picture that is larger than the view: CSS moves it along with the view, which costs next to nothing. */
import { type Matrix, shifted } from "./matrix";
import { type RasterPlan, viewTransform } from "./rasterPlan";

/** Gives the canvas the place and size of its picture; `ratio`: device pixels per CSS pixel. */
export function placeCanvas(canvas: HTMLCanvasElement, { left, top, width, height }: RasterPlan, ratio: number): void {
  const css = (pixels: number): string => `${pixels / ratio}px`;
  Object.assign(canvas.style, {
    left: css(left),
    top: css(top),
    width: css(width),
    height: css(height),
    transformOrigin: `${css(-left)} ${css(-top)}`,
  });
}

/** Moves the picture to where it belongs in the view. */
export function moveCanvas(canvas: HTMLCanvasElement, plan: RasterPlan, view: Matrix, ratio: number): void {
  const { a, b, c, d, e, f } = atPixels(viewTransform(plan, view));
  canvas.style.transform = `matrix(${a}, ${b}, ${c}, ${d}, ${e / ratio}, ${f / ratio})`;
}

/** A picture that is only shifted moves by whole pixels: to put it between them costs a software compositor several times as much. */
function atPixels(moved: Matrix): Matrix {
  const isShift = moved.a === 1 && moved.b === 0 && moved.c === 0 && moved.d === 1;
  return isShift ? shifted(moved, Math.round(moved.e) - moved.e, Math.round(moved.f) - moved.f) : moved;
}
