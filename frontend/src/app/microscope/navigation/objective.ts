/** The objectives of the open slide, and changing them. */
import type { Microscope } from "../../../viewer/core/microscope";
import { zoomToScale } from "../../../viewer/navigation/moves";
import { type Objective, neighbour, objectivesFor } from "../../../viewer/navigation/objectives";
import { CLOSEST } from "../../../viewer/core/openseadragon/options";
import { slideMagnification } from "../../../viewer/navigation/scale";
import { jump } from "../browserHistory";

export function objectivesOf({ manifest: { mpp, objectivePower } }: Microscope): Objective[] {
  return objectivesFor(slideMagnification(mpp?.x ?? null, objectivePower), CLOSEST);
}

export function turnTurret(scope: Microscope, { scale }: Objective): void {
  jump(scope, () => zoomToScale(scope, scale));
}

/** To the next objective, stronger or weaker. */
export function stepTurret(scope: Microscope, step: 1 | -1): void {
  const next = neighbour(objectivesOf(scope), scope.reading(false).scale, step);
  if (next) turnTurret(scope, next);
}
