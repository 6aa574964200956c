/** Between a session's stage and the page that shows it. */
import { type ComparisonAddress, parseComparison, parseIds } from "@wavescope/viewer/compare/address";
import { type Links, linksFrom } from "@wavescope/viewer/compare/links";
import { EVEN, type Link, type Point, registrationAt, similarityAt } from "@wavescope/viewer/compare/registration";
import type { SharedComparison, SharedLink, Stage } from "@wavescope/core/session/state";
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
  const ids = parseIds(search);
  if (route.page !== "compare" || ids.length < 2) return null;
  const address = parseComparison(search, hash, Array<number>(ids.length - 1).fill(1));
  return sharedScene(ids, address, address.views[0] ?? { l0_x: 0, l0_y: 0 });
}

function stepIn(query: URLSearchParams): Scene["tour"] {
  const id = query.get("tour");
  const waypoint = id === null ? undefined : cachedTour(id)?.tour.waypoints[Number(query.get("step") ?? 0)];
  return id !== null && waypoint ? { id, waypoint: waypoint.id } : null;
}

/** The slides of all panes, in their order. */
export function slidesOf({ slide, pair }: Scene): readonly string[] {
  return pair ? [slide, pair.slide, ...(pair.more ?? []).map((beside) => beside.slide)] : [slide];
}

/** Several slides as a session shares them; `first`: where the first one is looked at. */
export function sharedScene(
  [slide, second, ...others]: readonly string[],
  { mode, swapped, links, swiped, landmarks }: Omit<ComparisonAddress, "views">,
  first: Point,
): Scene {
  const linkTo = (pane: number): SharedLink | null => {
    const link = links === "off" ? null : links[pane - 1];
    return link ? sharedLink(link, first) : null;
  };
  const more = others.map((other, i) => ({ slide: other, link: linkTo(i + 2) }));
  return {
    slide: slide!,
    pair: { slide: second!, mode, swapped, link: linkTo(1), more, swiped, marks: landmarks },
    tour: null,
  };
}

/** The links of the panes as a session has them, that of the first pane to itself; null: each is moved by itself. */
export function sharedLinks({ link, more = [] }: SharedComparison): Links | null {
  const shared = [link, ...more.map((beside) => beside.link)];
  if (shared.includes(null)) return null;
  return linksFrom(shared.length + 1, (pane) => linkOf(shared[pane - 1]!));
}

/** Whether two scenes are shown by the same page: slides and tour alike. */
export function isSamePage(a: Scene | null, b: Scene): boolean {
  if (!a || !areSameSlides(a, b)) return false;
  return a.tour?.id === b.tour?.id && a.tour?.waypoint === b.tour?.waypoint;
}

/** Whether the same pictures are on the stage, whatever is said about them. */
export function areSameSlides(a: Scene | null, b: Scene): boolean {
  return a !== null && slidesOf(a).join("|") === slidesOf(b).join("|");
}

/** The address of the page that shows a scene. */
export async function addressOfScene(scene: Scene): Promise<{ readonly path: string; readonly query: Query }> {
  const { slide, pair, tour } = scene;
  const slides = slidesOf(scene);
  if (pair)
    return {
      path: "/compare",
      query: { ...keptCase(slides), slide: slides, ...(pair.mode === "swipe" ? { mode: "swipe" } : {}) },
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
