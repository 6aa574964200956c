/** Switching and clearing the trail. */
import type { Microscope } from "../../../viewer/core/microscope";
import { viewedAreasOf } from "../../../viewer/navigation/viewedAreas";

export function toggleViewedAreas(scope: Microscope): void {
  viewedAreasOf(scope).setState(({ shown }) => ({ shown: !shown }));
}

export function clearViewedAreas(scope: Microscope): void {
  viewedAreasOf(scope).setState({ fields: [] });
}
