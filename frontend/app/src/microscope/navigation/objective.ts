/** The objectives of the open slide, and changing them. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { zoomToScale } from "@wavescope/viewer/navigation/moves";
import { type Objective, neighbour, objectivesFor } from "@wavescope/viewer/navigation/objectives";
import { CLOSEST } from "@wavescope/viewer/core/openseadragon/options";
import { slideMagnification } from "@wavescope/viewer/navigation/scale";
import { jump } from "../browserHistory";

export function objectivesOf({ manifest: { mpp, objectivePower } }: Microscope): Objective[] {
  return objectivesFor(slideMagnification(mpp?.x ?? null, objectivePower), CLOSEST);
}

export function turnTurret(microscope: Microscope, { scale }: Objective): void {
  jump(microscope, () => zoomToScale(microscope, scale));
}

/** To the next objective, stronger or weaker. */
export function stepTurret(microscope: Microscope, step: 1 | -1): void {
  const next = neighbour(objectivesOf(microscope), microscope.reading(false).scale, step);
  if (next) turnTurret(microscope, next);
}
