/** Changes of a tour, each a new tour: pure. */
import type { View } from "@wavescope/viewer/view/view";
import type { Mark, MarkKind, Tour, Waypoint } from "@wavescope/core/wire/catalog/toursClient";
import { moved } from "../ui/order";
import { t } from "@wavescope/core/i18n/i18n";

export const EMPTY_TOUR: Tour = { title: t("tours.newTour"), text: "", waypoints: [] };

/** An id that none of these waypoints has. */
export function freeId(waypoints: Tour["waypoints"]): string {
  const taken = new Set(waypoints.map(({ id }) => id));
  let number = waypoints.length + 1;
  while (taken.has(`w${number}`)) number += 1;
  return `w${number}`;
}

/** The view as the last waypoint. `slide`: null for the slide the tour belongs to. */
export function withView(tour: Tour, view: View, slide: string | null): Tour {
  const id = freeId(tour.waypoints);
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

/** A waypoint that was removed, again at its position; not twice. */
export function withRestored(tour: Tour, waypoint: Waypoint, index: number): Tour {
  if (tour.waypoints.some(({ id }) => id === waypoint.id)) return tour;
  return { ...tour, waypoints: tour.waypoints.toSpliced(index, 0, waypoint) };
}

/** The waypoint `by` positions later (negative: earlier). */
export function withMoved(tour: Tour, id: string, by: number): Tour {
  const index = tour.waypoints.findIndex((waypoint) => waypoint.id === id);
  return index < 0 ? tour : { ...tour, waypoints: moved(tour.waypoints, index, index + by) };
}

/** What can be taken hold of besides the mark itself: the corner or tip, and the opposite corner or tail. */
export type MarkEnd = "start" | "end";
export const MARK_ENDS: Readonly<Record<MarkKind, readonly MarkEnd[]>> = {
  point: [],
  rectangle: ["start", "end"],
  ellipse: ["start", "end"],
  arrow: ["start", "end"],
};

interface SlidePoint {
  readonly l0_x: number;
  readonly l0_y: number;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** From a corner to the opposite one; only an arrow has a direction (TO7). */
function spanned(mark: Mark, from: SlidePoint, to: SlidePoint): Mark {
  const [x, y, width, height] = [from.l0_x, from.l0_y, to.l0_x - from.l0_x, to.l0_y - from.l0_y];
  const directed = mark.kind === "arrow";
  return {
    ...mark,
    l0_x: round(directed ? x : Math.min(x, x + width)),
    l0_y: round(directed ? y : Math.min(y, y + height)),
    l0_width: round(directed ? width : Math.abs(width)),
    l0_height: round(directed ? height : Math.abs(height)),
  };
}

/** A mark as it is dragged: an arrow from its tail to its tip, others from corner to corner. */
export function markBetween(kind: MarkKind, from: SlidePoint, to: SlidePoint): Mark {
  const mark: Mark = { kind, ...to, l0_width: 0, l0_height: 0, text: "" };
  return kind === "point" ? spanned(mark, to, to) : spanned(mark, to, from);
}

export function withShift(mark: Mark, l0_dx: number, l0_dy: number): Mark {
  return { ...mark, l0_x: round(mark.l0_x + l0_dx), l0_y: round(mark.l0_y + l0_dy) };
}

/** The mark with one of its ends elsewhere. */
export function withEnd(mark: Mark, end: MarkEnd, at: SlidePoint): Mark {
  const other = { l0_x: mark.l0_x + mark.l0_width, l0_y: mark.l0_y + mark.l0_height };
  return end === "start" ? spanned(mark, at, other) : spanned(mark, mark, at);
}

/** A mark at a level-0 point, of a size that fits the field it was made in. */
export function markAt(kind: MarkKind, at: { l0_x: number; l0_y: number }, l0_field: number): Mark {
  const size = l0_field / 8;
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
