/** Between a session's stage and the page that shows it. */
import { parseComparison } from "@wavescope/viewer/compare/address";
import { EVEN, type Link, type Point, registrationAt, similarityAt } from "@wavescope/viewer/compare/registration";
import type { SharedLink, Stage } from "@wavescope/core/session/state";
import type { Case } from "@wavescope/core/wire/catalog/casesClient";
import { type StoredTour, readTour } from "@wavescope/core/wire/catalog/toursClient";
import { queryClient } from "../../state/queries";
import { type Query, caseQuery, parseRoute, slidePath } from "../../state/router";
import { cachedTour } from "../../microscope/openTour";

export type Scene = Omit<Stage, "number">;

/** What the page at this address shows; null: no slide, or one that is not known yet. */
export function sceneAt({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): Scene | null {
  const query = new URLSearchParams(search);
  const route = parseRoute(pathname);
  if (route.page === "slide") return { slide: route.id, pair: null, tour: stepIn(query) };
  const [left, right] = [query.get("left"), query.get("right")];
  if (route.page !== "compare" || !left || !right) return null;
  const { mode, swapped, link, left: viewLink } = parseComparison(search, hash, 1);
  const shared = link === "off" || link === null ? null : sharedLink(link, viewLink ?? { l0_x: 0, l0_y: 0 });
  return { slide: left, pair: { slide: right, mode, swapped, link: shared }, tour: null };
}

function stepIn(query: URLSearchParams): Scene["tour"] {
  const id = query.get("tour");
  const waypoint = id === null ? undefined : cachedTour(id)?.tour.waypoints[Number(query.get("step") ?? 0)];
  return id !== null && waypoint ? { id, waypoint: waypoint.id } : null;
}

/** Whether two scenes are shown by the same page: slides and tour alike. */
export function isSamePage(a: Scene | null, b: Scene): boolean {
  if (!a || a.slide !== b.slide || a.pair?.slide !== b.pair?.slide) return false;
  return a.tour?.id === b.tour?.id && a.tour?.waypoint === b.tour?.waypoint;
}

/** Whether the same pictures are on the stage, whatever is said about them. */
export function areSameSlides(a: Scene | null, b: Scene): boolean {
  return a !== null && a.slide === b.slide && a.pair?.slide === b.pair?.slide;
}

/** The address of the page that shows a scene. */
export async function addressOfScene({
  slide,
  pair,
  tour,
}: Scene): Promise<{ readonly path: string; readonly query: Query }> {
  if (pair)
    return {
      path: "/compare",
      query: {
        ...keptCase([slide, pair.slide]),
        left: slide,
        right: pair.slide,
        ...(pair.mode === "swipe" ? { mode: "swipe" } : {}),
      },
    };
  const step = tour ? await stepOf(tour.id, tour.waypoint) : -1;
  return {
    path: slidePath(slide),
    query: { ...keptCase([slide]), ...(tour && step >= 0 ? { tour: tour.id, step: String(step) } : {}) },
  };
}

/** The case that this window is in, as far as it has these slides or is not known (any more). */
function keptCase(slides: readonly string[]): Query {
  const open = caseQuery();
  const known = queryClient.getQueryData<Case>(["case", open.case]);
  return !known || slides.every((id) => known.slides.some((slide) => slide.id === id)) ? open : {};
}

/** The index of a waypoint in its tour, -1 if it does not exist (any more) or is not visible to this user. */
async function stepOf(id: string, waypoint: string): Promise<number> {
  const find = (tour: StoredTour | null): number =>
    tour?.tour.waypoints.findIndex((candidate) => candidate.id === waypoint) ?? -1;
  const cached = find(cachedTour(id) ?? null);
  if (cached >= 0) return cached;
  return find(
    await queryClient.query({ queryKey: ["tour", id], queryFn: () => readTour(id), retry: false }).catch(() => null),
  );
}

/** A session shares similarities: of an affine link its approximation at the view of the left slide. */
export function sharedLink(link: Link, left: Point): SharedLink {
  const { zoom } = link;
  const { scale, rotation, mirrored, planeStep, planeShift, l0_dx, l0_dy } = similarityAt(
    registrationAt(link, left),
    left,
  );
  return {
    scale,
    rotation,
    mirrored,
    plane_step: planeStep,
    plane_shift: planeShift,
    l0_dx,
    l0_dy,
    zoom,
    automatic: link.places !== undefined,
  };
}

export function linkOf({ scale, rotation, mirrored, plane_step, plane_shift, l0_dx, l0_dy, zoom }: SharedLink): Link {
  return {
    registration: { scale, rotation, mirrored, ...EVEN, planeStep: plane_step, planeShift: plane_shift, l0_dx, l0_dy },
    zoom,
  };
}
