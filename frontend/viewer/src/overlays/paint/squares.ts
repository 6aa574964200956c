/** The squares of counts of a tile as rectangles with a colour (overlays.md, OV43). Pure. */
import type { Box } from "@wavescope/core/geometry/shape";
import { placeOf } from "@wavescope/core/overlays/plan";
import { type StyleTables, colorOf, mixed } from "@wavescope/core/overlays/style";
import { BINS, type ClassCounts, sideOf } from "@wavescope/core/overlays/tile";
import { alphaOf } from "./painter";

/** Calls with each square that has shapes of classes that are shown, cut to a window: level-0 pixels, 0xAABBGGRR. */
export function eachSquare(
  counts: readonly ClassCounts[],
  key: string,
  window: Box | null,
  { style, density }: { readonly style: StyleTables; readonly density: number },
  paint: (box: Box, color: number) => void,
): void {
  const { level, x, y } = placeOf(key);
  const [left, top, side] = [x * sideOf(level), y * sideOf(level), sideOf(level) / BINS];
  const shown = counts.filter(({ of }) => style.shown[of]);
  for (let at = 0; at < BINS * BINS; at += 1) {
    const present = shown.filter(({ shapes }) => shapes[at]! > 0);
    if (present.length === 0) continue;
    const [minX, minY] = [left + (at % BINS) * side, top + Math.floor(at / BINS) * side];
    const box = cut({ minX, minY, maxX: minX + side, maxY: minY + side }, window);
    if (!box) continue;
    const weights = present.map(({ shapes }) => shapes[at]!);
    const colors = present.map(({ of, shapes, scores }) => colorOf(style, of, Math.round(scores[at]! / shapes[at]!)));
    const count = weights.reduce((sum, weight) => sum + weight, 0);
    const alpha = Math.round(255 * alphaOf(count, side * side, density));
    paint(box, ((alpha << 24) | mixed(colors, weights)) >>> 0);
  }
}

function cut(box: Box, window: Box | null): Box | null {
  if (!window) return box;
  const minX = Math.max(box.minX, window.minX);
  const minY = Math.max(box.minY, window.minY);
  const maxX = Math.min(box.maxX, window.maxX);
  const maxY = Math.min(box.maxY, window.maxY);
  return minX < maxX && minY < maxY ? { minX, minY, maxX, maxY } : null;
}
