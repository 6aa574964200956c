/** What of a slide and of its tissue a view shows: pure. */
import type { Region } from "@wavescope/core/geometry/field";
import type { Size } from "@wavescope/core/geometry/pyramid";
import { directionBack } from "../core/rotation";
import type { TissueMask } from "./tissue";

export interface TurnedField {
  /** Before it is turned. */
  readonly region: Region;
  readonly rotation: number;
  readonly flip: boolean;
}

export const SIDES = ["left", "right", "top", "bottom"] as const;
export type Side = (typeof SIDES)[number];

export interface ViewParts {
  /** The part of the slide that is in view, 0 to 1. */
  readonly slide: number;
  /** The part of the view that is tissue; null: not known. */
  readonly tissue: number | null;
  /** The sides of the upright slide that lie inside the view. */
  readonly sides: readonly Side[];
}

/** Points of a view that are looked at, across and down. */
const POINTS = 64;

export function viewParts({ width, height }: Size, field: TurnedField, mask: TissueMask | null): ViewParts {
  const { l0_width, l0_height } = field.region;
  const beyond = new Set<Side>();
  let [inside, tissue] = [0, 0];
  for (const [l0_x, l0_y] of pointsOf(field)) {
    if (l0_x < 0) beyond.add("left");
    if (l0_x >= width) beyond.add("right");
    if (l0_y < 0) beyond.add("top");
    if (l0_y >= height) beyond.add("bottom");
    if (l0_x < 0 || l0_x >= width || l0_y < 0 || l0_y >= height) continue;
    inside += 1;
    if (mask) tissue += mask.cells[cellAt(mask, l0_x, l0_y)]!;
  }
  const all = POINTS * POINTS;
  return {
    slide: Math.min(1, ((inside / all) * l0_width * l0_height) / (width * height)),
    tissue: mask && tissue / all,
    sides: SIDES.filter((side) => beyond.has(side)),
  };
}

function* pointsOf({ region, rotation, flip }: TurnedField): Generator<[number, number]> {
  const { l0_x, l0_y, l0_width, l0_height } = region;
  const part = (i: number): number => (i + 0.5) / POINTS - 0.5;
  for (let i = 0; i < POINTS; i += 1)
    for (let j = 0; j < POINTS; j += 1) {
      const [x, y] = directionBack(rotation, flip, part(i) * l0_width, part(j) * l0_height);
      yield [l0_x + l0_width / 2 + x, l0_y + l0_height / 2 + y];
    }
}

function cellAt({ columns, rows, l0_width, l0_height }: TissueMask, l0_x: number, l0_y: number): number {
  const column = Math.min(columns - 1, Math.floor(l0_x / l0_width));
  return Math.min(rows - 1, Math.floor(l0_y / l0_height)) * columns + column;
}
