/** The objectives of a slide: the magnifications of the turret that make sense for it. Pure. */

import { decimal, inOrder } from "@wavescope/core/geometry/figures";

export interface Objective {
  readonly magnification: number;
  /** Device pixels per level-0 pixel. */
  readonly scale: number;
  /** Beyond what was scanned: pixels are enlarged and nothing more is to be seen. */
  readonly beyond: boolean;
}

export const TURRET = [1.25, 2.5, 5, 10, 20, 40, 63, 100] as const;

/** `own`: the slide's magnification at 1:1; where it is not known there are no objectives. */
export function objectivesFor(own: number | null, closest: number): Objective[] {
  if (own === null) return [];
  const nominal = nominalOf(own);
  const all = TURRET.map((magnification) => ({
    magnification,
    scale: magnification / nominal,
    beyond: magnification > nominal,
  }));
  return all.filter(({ scale }) => scale <= closest * (1 + 1e-9));
}

/** Scanners' pixels differ by so much from what their objectives promise: 0.2527 um is meant to be 40x. */
const NEAR = 0.03;

/** What a magnification is meant to be. */
export function nominalOf(own: number): number {
  return TURRET.find((magnification) => Math.abs(magnification / own - 1) < NEAR) ?? own;
}

/** The next objective up or down from a scale. */
export function neighbour(objectives: readonly Objective[], scale: number, step: 1 | -1): Objective | undefined {
  if (step > 0) return objectives.find((objective) => objective.scale > scale * 1.01);
  return objectives.findLast((objective) => objective.scale < scale / 1.01);
}

/** The objective that stands beside the scale bar at this scale: the same words, or none. */
export function objectiveAt(objectives: readonly Objective[], scale: number): Objective | undefined {
  return objectives.find(
    (objective) =>
      magnificationLabel((objective.magnification * scale) / objective.scale) ===
      magnificationLabel(objective.magnification),
  );
}

/** `12.5×`, `40×`, `0.31×`. */
export function magnificationLabel(magnification: number): string {
  const digits = magnification >= 10 ? 1 : 2;
  return inOrder(`${decimal(Number(magnification.toFixed(digits)))}×`);
}
