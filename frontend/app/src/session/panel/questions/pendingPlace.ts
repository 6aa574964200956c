/** The place that was chosen to be shown: its slide may have to be opened first. */
import { createStore } from "zustand/vanilla";
import type { Place } from "@wavescope/core/session/state";
import { parseRoute, navigate, slidePath } from "../../../state/router";

export const pendingPlace = createStore<{ readonly place: Place | null }>(() => ({ place: null }));

/** Shows a place of a question, on its slide. */
export function goToPlace(place: Place): void {
  pendingPlace.setState({ place });
  const route = parseRoute(location.pathname);
  if (route.page !== "slide" || route.id !== place.slide) navigate(slidePath(place.slide));
}

/** The place that waits to be shown on this slide, once; null: there is none. */
export function takePlace(slide: string): Place | null {
  const { place } = pendingPlace.getState();
  if (place?.slide !== slide) return null;
  pendingPlace.setState({ place: null });
  return place;
}
