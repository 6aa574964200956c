/** What was seen of a slide: a log of views, and what follows from it for the tissue (CV2 to CV4). Pure. */
import type { Region } from "@wavescope/core/geometry/field";
import type { CellGrid, TissueMask } from "./tissue";

export interface SeenView extends Region {
  /** Degrees by which the slide was turned on the screen. */
  readonly rotation: number;
  /** Device pixels per level-0 pixel. */
  readonly scale: number;
  /** How long it was on the screen. */
  readonly seconds: number;
  /** Whether the picture was as good as this magnification shows it; else it was coarse all the time. */
  readonly sharp: boolean;
}

/** Of one slide. What is beyond is forgotten, the oldest first. */
export const MAX_VIEWS = 4000;

/** For each cell one more than the strongest objective that showed it sharply; 0: none did. */
export type SeenMap = Uint8Array;

/** Adds a view; one of nearly the same field lasts longer instead. The newest comes last. */
export function addView(views: readonly SeenView[], view: SeenView): readonly SeenView[] {
  const at = views.findIndex((one) => isSame(one, view));
  if (at < 0) return [...views, view].slice(-MAX_VIEWS);
  const seconds = views[at]!.seconds + view.seconds;
  return [...views.toSpliced(at, 1), { ...views[at]!, seconds }];
}

/** The views of two logs that may share some: a field that both have lasted as long as the longer one says. */
export function mergedViews(views: readonly SeenView[], others: readonly SeenView[]): readonly SeenView[] {
  const merged = [...views];
  for (const other of others) {
    const at = merged.findIndex((one) => isSame(one, other));
    if (at < 0) merged.push(other);
    else merged[at] = { ...merged[at]!, seconds: Math.max(merged[at]!.seconds, other.seconds) };
  }
  return merged.slice(-MAX_VIEWS);
}

function isSame(a: SeenView, b: SeenView): boolean {
  const near = 0.04 * b.l0_width;
  return (
    a.sharp === b.sharp &&
    a.rotation === b.rotation &&
    Math.abs(a.l0_x - b.l0_x) < near &&
    Math.abs(a.l0_y - b.l0_y) < near &&
    Math.abs(a.l0_width / b.l0_width - 1) < 0.04 &&
    Math.abs(a.l0_height / b.l0_height - 1) < 0.04
  );
}

/** A screen's field is seldom quite as large as its objective promises. */
const NEAR = 0.97;

/** The strongest of these objectives (their scales, ascending) that a scale reaches; -1: none. */
export function objectiveReached(scales: readonly number[], scale: number): number {
  return scales.findLastIndex((one) => scale >= NEAR * one);
}

/** Which cells have their centre in a sharp view, and by which objective. */
export function seenMap(grid: CellGrid, views: readonly SeenView[], scales: readonly number[]): SeenMap {
  const seen = new Uint8Array(grid.columns * grid.rows);
  for (const view of views) {
    const strength = view.sharp ? objectiveReached(scales, view.scale) + 1 : 0;
    if (strength > 0) cover(seen, grid, view, strength);
  }
  return seen;
}

function cover(seen: SeenMap, grid: CellGrid, view: SeenView, strength: number): void {
  const angle = (view.rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [half_x, half_y] = [view.l0_width / 2, view.l0_height / 2];
  const [middle_x, middle_y] = [view.l0_x + half_x, view.l0_y + half_y];
  const reach_x = Math.abs(cos) * half_x + Math.abs(sin) * half_y;
  const reach_y = Math.abs(sin) * half_x + Math.abs(cos) * half_y;
  const range = (middle: number, reach: number, cell: number, count: number): [number, number] => [
    Math.max(0, Math.ceil((middle - reach) / cell - 0.5)),
    Math.min(count - 1, Math.floor((middle + reach) / cell - 0.5)),
  ];
  const [left, right] = range(middle_x, reach_x, grid.l0_width, grid.columns);
  const [top, bottom] = range(middle_y, reach_y, grid.l0_height, grid.rows);
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) {
      const [x, y] = [(column + 0.5) * grid.l0_width - middle_x, (row + 0.5) * grid.l0_height - middle_y];
      if (Math.abs(cos * x - sin * y) > half_x || Math.abs(sin * x + cos * y) > half_y) continue;
      const i = row * grid.columns + column;
      seen[i] = Math.max(seen[i]!, strength);
    }
}

/** The part of the tissue that was seen by an objective or a stronger one, for each of `objectives`: 0 to 1. */
export function coveredParts(mask: TissueMask, seen: SeenMap, objectives: number): number[] {
  const counts = new Uint32Array(objectives + 1);
  mask.cells.forEach((tissue, i) => {
    if (tissue) counts[seen[i]!]! += 1;
  });
  return Array.from({ length: objectives }, (_, i) =>
    mask.count === 0 ? 0 : counts.subarray(i + 1).reduce((sum, count) => sum + count, 0) / mask.count,
  );
}

/** As it is stored: at most 100 bytes of JSON. */
export type StoredView = readonly [number, number, number, number, number, number, number, 0 | 1];

export function storedView(view: SeenView): StoredView {
  const whole = [view.l0_x, view.l0_y, view.l0_width, view.l0_height].map(Math.round) as [
    number,
    number,
    number,
    number,
  ];
  const rotation = Number(view.rotation.toFixed(1));
  return [...whole, rotation, Number(view.scale.toPrecision(4)), Number(view.seconds.toFixed(1)), view.sharp ? 1 : 0];
}

/** Null for what is none. */
export function readView(value: unknown): SeenView | null {
  if (!Array.isArray(value) || value.length !== 8 || !value.every((one) => Number.isFinite(one))) return null;
  const [l0_x, l0_y, l0_width, l0_height, rotation, scale, seconds, sharp] = value as unknown as StoredView;
  if (l0_width <= 0 || l0_height <= 0 || scale <= 0 || seconds < 0) return null;
  return { l0_x, l0_y, l0_width, l0_height, rotation, scale, seconds, sharp: sharp === 1 };
}
