/** Switching and clearing the trail. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { viewedAreasOf } from "@wavescope/viewer/navigation/viewedAreas";

export function toggleViewedAreas(microscope: Microscope): void {
  viewedAreasOf(microscope).setState(({ shown }) => ({ shown: !shown }));
}

export function clearViewedAreas(microscope: Microscope): void {
  viewedAreasOf(microscope).setState({ fields: [] });
}
