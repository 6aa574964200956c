/**
 * What a wheel event means for the zoom: pure.
 *
 * The notches of a mouse wheel zoom by one step each, however many pixels the browser makes of a notch. Everything finer (two fingers on
 * a trackpad, wheels without notches) zooms by as much as it moves: a hundred pixels are one step. A pinch comes as Ctrl+wheel, and its
 * delta is 100 times the logarithm of how far the fingers went apart: the picture goes with them.
 */

export type WheelReading = Pick<WheelEvent, "deltaX" | "deltaY" | "deltaMode" | "ctrlKey"> & {
  /** 120 for a notch, in browsers that tell it; TypeScript's `WheelEvent` does not name it. */
  readonly wheelDeltaY?: number;
};

/** The zoom of one notch. */
export const STEP = 1.25;

/** Zoom per pixel, as an exponent. */
const SCROLL = Math.log(STEP) / 100;
const PINCH = 1 / 100;

const LINES_PER_NOTCH = 3;
const TICK = 120;
/** The least pixels of a notch: 100 at a screen of 250 percent are 40. What is less is a pinch, which also claims to be a whole tick. */
const LEAST_NOTCH = 30;
/** Pixels of a notch where no ticks are reported. */
const NOTCHES = [100, 120];
/** macOS speeds a wheel up and reports fixed-point fractions of a pixel (4.000244140625 for the slowest notch), for trackpads whole pixels. */
const MAC_NOTCH = 4;
const MAC_FRACTION = 1 / 4096;
const TRACKPAD_FRACTION = 1 / 16;
/** Trackpads claim three times as many ticks as they move pixels. */
const TRACKPAD_TICKS = 3;
/** One event never zooms by more than this. */
const MAX_FACTOR = 4;

/** By how much to zoom; 1 for what is not meant as zooming, such as a swipe to the side. */
export function wheelZoom(event: WheelReading): number {
  const { deltaX, deltaY, ctrlKey } = event;
  if (deltaY === 0 || Math.abs(deltaX) > Math.abs(deltaY)) return 1;
  const notches = notchesOf(event);
  const exponent = notches === null ? Math.abs(deltaY) * (ctrlKey ? PINCH : SCROLL) : notches * Math.log(STEP);
  return Math.exp(-Math.sign(deltaY) * Math.min(exponent, Math.log(MAX_FACTOR)));
}

/** How many notches of a wheel this is; null for everything that has none. */
function notchesOf({ deltaY, deltaMode, ctrlKey, wheelDeltaY = 0 }: WheelReading): number | null {
  const pixels = Math.abs(deltaY);
  if (deltaMode === 1) return pixels / LINES_PER_NOTCH;
  if (deltaMode === 2) return pixels;
  if (!ctrlKey && pixels > MAC_NOTCH && isMultiple(pixels, MAC_FRACTION) && !isMultiple(pixels, TRACKPAD_FRACTION))
    return 1;
  if (pixels < LEAST_NOTCH) return null;
  const ticks = Math.abs(wheelDeltaY);
  const trackpad = Math.abs(ticks - TRACKPAD_TICKS * pixels) < 1;
  if (ticks === TICK || (ticks > 0 && ticks % TICK === 0 && !trackpad)) return ticks / TICK;
  const notch = trackpad ? undefined : NOTCHES.find((candidate) => isMultiple(pixels, candidate));
  return notch === undefined ? null : pixels / notch;
}

function isMultiple(value: number, unit: number): boolean {
  return Math.abs(value / unit - Math.round(value / unit)) < 1e-9;
}
