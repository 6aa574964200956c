/** Changes of a tour, each a new tour: pure. */
import type { View } from "../../viewer/view/view";
import type { Mark, MarkKind, Tour, Waypoint } from "../../wire/catalog/toursClient";
import { moved } from "../ui/order";
import { t } from "../../i18n/i18n";

export const EMPTY_TOUR: Tour = { title: t("tours.newTour"), text: "", waypoints: [] };

/** An id that no other waypoint of the tour has. */
function freeId(tour: Tour): string {
  const taken = new Set(tour.waypoints.map(({ id }) => id));
  let number = tour.waypoints.length + 1;
  while (taken.has(`w${number}`)) number += 1;
  return `w${number}`;
}

/** The view as the last waypoint. `slide`: null for the slide the tour belongs to. */
export function withView(tour: Tour, view: View, slide: string | null): Tour {
  const id = freeId(tour);
  const waypoint: Waypoint = {
    id,
    title: t("tours.stop", { place: tour.waypoints.length + 1 }),
    text: "",
    slide,
    view: { ...view },
    annotations: [],
    marks: [],
  };
  return { ...tour, waypoints: [...tour.waypoints, waypoint] };
}

export function withWaypoint(tour: Tour, id: string, change: Partial<Waypoint>): Tour {
  return {
    ...tour,
    waypoints: tour.waypoints.map((waypoint) => (waypoint.id === id ? { ...waypoint, ...change } : waypoint)),
  };
}

export function withoutWaypoint(tour: Tour, id: string): Tour {
  return { ...tour, waypoints: tour.waypoints.filter((waypoint) => waypoint.id !== id) };
}

/** The waypoint `by` positions later (negative: earlier). */
export function withMoved(tour: Tour, id: string, by: number): Tour {
  const index = tour.waypoints.findIndex((waypoint) => waypoint.id === id);
  return index < 0 ? tour : { ...tour, waypoints: moved(tour.waypoints, index, index + by) };
}

/** A mark at a level-0 point, of a size that fits the field it was made in. */
export function markAt(kind: MarkKind, at: { l0_x: number; l0_y: number }, l0_field: number): Mark {
  const size = l0_field / 8;
  const round = (value: number): number => Math.round(value * 10) / 10;
  const of = (l0_x: number, l0_y: number, l0_width: number, l0_height: number): Mark => ({
    kind,
    l0_x: round(l0_x),
    l0_y: round(l0_y),
    l0_width: round(l0_width),
    l0_height: round(l0_height),
    text: "",
  });
  if (kind === "point") return of(at.l0_x, at.l0_y, 0, 0);
  if (kind === "arrow") return of(at.l0_x, at.l0_y, size, -size);
  return of(at.l0_x - size / 2, at.l0_y - size / 2, size, size);
}
