/** A scale as a person enters it. Pure. */
import type { Calibration } from "@wavescope/core/wire/slides/scale";

export interface ClickedPoint {
  readonly l0_x: number;
  readonly l0_y: number;
}

export type Unit = "µm" | "mm";

/** What a slide's scale can be, in micrometres per pixel (WI80). */
export const LEAST_SCALE = 0.001;
export const MOST_SCALE = 10_000;

export const possibleScale = (um_per_pixel: number): boolean =>
  um_per_pixel >= LEAST_SCALE && um_per_pixel <= MOST_SCALE;

/** In pixels of the slide; a shorter line is no measure. */
export const SHORTEST = 10;

export const pixelsBetween = (one: ClickedPoint, other: ClickedPoint): number =>
  Math.hypot(other.l0_x - one.l0_x, other.l0_y - one.l0_y);

/** The nearest spot of the slide: both ends must lie on it. */
export function onSlide(
  { l0_x, l0_y }: ClickedPoint,
  { width, height }: { readonly width: number; readonly height: number },
): ClickedPoint {
  const hundredths = (value: number, most: number): number =>
    Math.min(most, Math.max(0, Math.round(100 * value) / 100));
  return { l0_x: hundredths(l0_x, width), l0_y: hundredths(l0_y, height) };
}

/** One more end: the first, the second, or the first of another line. */
export function withPoint(spots: readonly ClickedPoint[], spot: ClickedPoint): readonly ClickedPoint[] {
  return spots.length === 1 ? [...spots, spot] : [spot];
}

/** The scale by a value, or null while it is none. */
export function byValue(um_per_pixel: number | null): Calibration | null {
  return um_per_pixel !== null && um_per_pixel > 0 ? { um_per_pixel } : null;
}

/** The scale by a line of known length, or null while one of them is missing. */
export function byLine([one, other]: readonly ClickedPoint[], length: number | null, unit: Unit): Calibration | null {
  if (!one || !other || length === null || length <= 0 || pixelsBetween(one, other) < SHORTEST) return null;
  const length_um = unit === "mm" ? 1000 * length : length;
  return { line: { x0: one.l0_x, y0: one.l0_y, x1: other.l0_x, y1: other.l0_y, length_um } };
}

export function umPerPixel(calibration: Calibration): number {
  if ("um_per_pixel" in calibration) return calibration.um_per_pixel;
  const { x0, y0, x1, y1, length_um } = calibration.line;
  return length_um / Math.hypot(x1 - x0, y1 - y0);
}
