/** Where the tip beside a pointer lies, so that it stays on the part of the picture that no panel covers (overlays.md, OV83). CSS pixels. Pure. */

const BESIDE = 14; // from the pointer
const MAX_WIDTH = 260;
const HEIGHT = 90; // of so many lines as a tip has at most

type Size = readonly [number, number];

/** The sides of a viewer from which the tip is placed. `free`: of the viewer, from its upper left corner on. */
export function tipPlace([x, y]: Size, [width, height]: Size, free: Size): Record<string, number> {
  const isLeft = x + BESIDE + MAX_WIDTH > free[0] && x > free[0] / 2;
  const isAbove = y + BESIDE + HEIGHT > free[1] && y > free[1] / 2;
  return {
    ...(isLeft ? { right: width - x + BESIDE } : { left: x + BESIDE }),
    ...(isAbove ? { bottom: height - y + BESIDE } : { top: y + BESIDE }),
    maxWidth: Math.min(MAX_WIDTH, (isLeft ? x : free[0] - x) - BESIDE),
  };
}
