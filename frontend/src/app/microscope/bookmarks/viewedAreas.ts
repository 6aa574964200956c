/** Switching and clearing the trail. */
import type { Microscope } from "../../../viewer/core/microscope";
import { trailOf } from "../../../viewer/navigation/viewedAreas";

export function toggleTrail(scope: Microscope): void {
  trailOf(scope).setState(({ shown }) => ({ shown: !shown }));
}

export function clearTrail(scope: Microscope): void {
  trailOf(scope).setState({ fields: [] });
}
