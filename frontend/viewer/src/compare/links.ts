/** How several slides lie on each other: each by its link from the first one. Pure. */
import type { ViewLink } from "../core/viewLink";
import {
  EVEN,
  type Extent,
  type Link,
  type Point,
  followed,
  linkBetween,
  mapPoint,
  planeStepOf,
  registrationAt,
  reversed,
  startLink,
} from "./registration";

/** For each pane the link from the first slide; that of the first pane leads to itself. */
export type Links = readonly Link[];

const LINEAR = { scale: 1, rotation: 0, mirrored: false, ...EVEN, l0_dx: 0, l0_dy: 0 } as const;
const SAME: Link = { registration: { ...LINEAR, planeStep: 1, planeShift: 0 }, zoom: 1 };

/** The links of the panes after the first one, made one by one. */
export function linksFrom(panes: number, make: (pane: number) => Link): Links {
  return Array.from({ length: panes }, (_, pane) => (pane === 0 ? SAME : make(pane)));
}

/** The planes of each further slide per plane of the first one. */
export function planeStepsOf([first, ...others]: readonly Extent[]): number[] {
  return others.map((slide) => planeStepOf(first!, slide));
}

/** Linked at the centres. */
export function startLinks(slides: readonly Extent[]): Links {
  return linksFrom(slides.length, (pane) => startLink(slides[0]!, slides[pane]!));
}

/** Linked as they lie. */
export function linksBetween(slides: readonly Extent[], views: readonly ViewLink[]): Links {
  return linksFrom(slides.length, (pane) => linkBetween(slides[0]!, slides[pane]!, views[0]!, views[pane]!));
}

/** The view of one pane while another is at `view`. */
export function followedIn(links: Links, from: number, to: number, view: ViewLink): ViewLink {
  const first = from === 0 ? view : followed(reversed(links[from]!), view);
  return to === 0 ? first : followed(links[to]!, first);
}

/** The plane of one slide while another is at `plane`; it may lie beyond the slide's planes. */
export function planeIn(links: Links, from: number, to: number, plane: number): number {
  const [one, other] = [links[from]!.registration, links[to]!.registration];
  return (other.planeStep * (plane - one.planeShift)) / one.planeStep + other.planeShift;
}

/** Where a point of one slide lies on another. */
export function onPane(links: Links, from: number, to: number, at: Point): Point {
  const first = from === 0 ? at : moved(reversed(links[from]!), at);
  return to === 0 ? first : moved(links[to]!, first);
}

function moved(link: Link, at: Point): Point {
  return mapPoint(registrationAt(link, at), at);
}
