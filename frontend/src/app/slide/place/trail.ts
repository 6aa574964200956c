/** Switching and clearing the trail. */
import type { Microscope } from "../../../viewer/microscope";
import { trailOf } from "../../../viewer/trail";

export function toggleTrail(scope: Microscope): void {
  trailOf(scope).setState(({ shown }) => ({ shown: !shown }));
}

export function clearTrail(scope: Microscope): void {
  trailOf(scope).setState({ fields: [] });
}
