/** Painting an area with a round brush, or wiping it away: a pure machine. Coordinates are level-0 pixels. */
import { simplified } from "@wavescope/core/geometry/outline";
import type { Shape } from "@wavescope/core/geometry/shape";
import { difference, stroke, union } from "./areas";

/** A stroke that is not done. */
export interface Stroke {
  /** The area as it is now; null: nothing of it is left. */
  readonly area: Shape | null;
  readonly at: readonly [number, number];
  readonly radius: number;
  readonly wipes: boolean;
}

const STEP = 0.15; // of the radius: shorter moves are left out
const SMOOTH = 0.04; // of the radius: what an outline may lose when the stroke is done

/** A dab on an area, or where there is none yet. */
export function begun(area: Shape | null, at: readonly [number, number], radius: number, wipes: boolean): Stroke {
  return painted({ area, at, radius, wipes }, at, at);
}

/** The stroke goes on to a point. */
export function brushed(before: Stroke, at: readonly [number, number]): Stroke {
  const [x, y] = before.at;
  return Math.hypot(at[0] - x, at[1] - y) < STEP * before.radius ? before : painted(before, [x, y, ...at], at);
}

function painted(before: Stroke, path: readonly number[], at: readonly [number, number]): Stroke {
  const { area, radius, wipes } = before;
  const covered = stroke(path, radius);
  const next = wipes ? area && difference(area, [covered]) : union(area ? [area, covered] : [covered]);
  return { ...before, area: next, at };
}

/** The area of a stroke that is done, with as few corners as its brush needs. */
export function done({ area, radius }: Stroke): Shape | null {
  if (!area) return null;
  const parts = area.parts.map((ring) => simplified(ring, SMOOTH * radius));
  return union([{ ...area, parts }]);
}
