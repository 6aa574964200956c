/**
 * Two to four slides in an address: `/compare?slide=ID&slide=ID&mode=swipe#a.x=...&b.x=...&link=...&divider=0.5&blend=0.7&swapped=1`.
 * Only the ids are required; `a.` to `d.` are the panes in their order. Parts that are unknown are passed over and parts that make no
 * sense count as not given.
 * `link` is `l0_dx,l0_dy,scale,rotation,planeShift,zoom,mirrored` and, where it is no similarity, `,stretch,shear`: from the first slide to
 * the second one, after `;` to each further one; or `off`.
 * `automatic=1`: the slides are aligned by their registration.
 * `marks` are landmarks with `;` between them: x and y in level-0 pixels of each slide in turn, empty where it is not marked.
 * `swiped` are the two panes that are swiped, such as `ac`.
 * Earlier addresses have `left=ID&right=ID`, `left.` and `right.`
 */
import { type ViewLink, parseViewLink, viewLinkHash, turned } from "../core/viewLink";
import { type Landmark, MAX_LANDMARKS } from "./landmarks";
import type { Link, Point } from "./registration";

export type Mode = "side" | "swipe";

/** Two panes, the lower one of them first. */
export type TwoPanes = readonly [number, number];

export interface ComparisonAddress {
  readonly mode: Mode;
  /** Of each pane; null: not said. */
  readonly views: readonly (ViewLink | null)[];
  /** From the first slide to each of the others; null: not said. `off`: the slides are moved each by itself. */
  readonly links: readonly (Link | null)[] | "off";
  readonly landmarks: readonly Landmark[];
  /** Whether the slides are aligned automatically; `links` are what that comes nearest to. */
  readonly automatic: boolean;
  readonly swiped: TwoPanes;
  /** Where swiping divides the field, from its left edge (0) to its right (1). */
  readonly divider: number;
  /** How much of the upper slide is seen in its part: 0 nothing, 1 all. */
  readonly blend: number;
  /** Whether the upper slide lies to the left of the divider. */
  readonly swapped: boolean;
}

export const MAX_PANES = 4;
const EARLIER = ["left", "right"];
const LETTERS = "ABCD";

/** What a pane is called on the screen: A, B, C, D. */
export const paneName = (pane: number): string => LETTERS[pane]!;

const keyOf = (pane: number): string => paneName(pane).toLowerCase();

/** The slides of the panes; fewer than two: nothing to compare. */
export function parseIds(search: string): readonly string[] {
  const query = new URLSearchParams(search);
  const ids = [...query.getAll("slide"), ...EARLIER.map((name) => query.get(name))];
  return ids.filter((id) => id !== null && id !== "").slice(0, MAX_PANES) as string[];
}

/** Nothing but the slides. */
export function emptyAddress(panes: number): ComparisonAddress {
  const views = Array.from({ length: panes }, () => null);
  const swipe = { swiped: [0, 1], divider: 0.5, blend: 1, swapped: false } as const;
  return { mode: "side", views, links: views.slice(1), landmarks: [], automatic: false, ...swipe };
}

/** `planeSteps`, from the first slide to each of the others, come from the slides, not from the address. */
export function parseComparison(search: string, hash: string, planeSteps: readonly number[]): ComparisonAddress {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const panes = planeSteps.length + 1;
  return {
    mode: new URLSearchParams(search).get("mode") === "swipe" ? "swipe" : "side",
    views: Array.from({ length: panes }, (_, pane) => viewLinkUnder(keyOf(pane), parts) ?? earlierView(pane, parts)),
    links: parseLinks(parts.get("link"), planeSteps),
    landmarks: parseLandmarks(parts.get("marks"), panes),
    automatic: parts.get("automatic") === "1",
    swiped: parseSwiped(parts.get("swiped"), panes),
    divider: share(parts.get("divider"), 0.5),
    blend: share(parts.get("blend"), 1),
    swapped: parts.get("swapped") === "1",
  };
}

/** The part from `#` on; `mode` and the ids are of the query. */
export function comparisonHash(comparison: Omit<ComparisonAddress, "mode">): string {
  const { views, links, landmarks, swiped } = comparison;
  const parts = views.flatMap((view, pane) => (view ? prefixed(`${keyOf(pane)}.`, view) : []));
  if (links === "off") parts.push("link=off");
  else if (links.some(Boolean)) parts.push(`link=${links.map((link) => (link ? linkText(link) : "")).join(";")}`);
  if (comparison.automatic) parts.push("automatic=1");
  if (landmarks.length > 0) parts.push(`marks=${landmarks.map(landmarkText).join(";")}`);
  if (swiped[0] !== 0 || swiped[1] !== 1) parts.push(`swiped=${swiped.map(keyOf).join("")}`);
  if (comparison.divider !== 0.5) parts.push(`divider=${Number(comparison.divider.toFixed(4))}`);
  if (comparison.blend !== 1) parts.push(`blend=${Number(comparison.blend.toFixed(3))}`);
  if (comparison.swapped) parts.push("swapped=1");
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** With one more pane at the end. */
export function withPane(comparison: ComparisonAddress): ComparisonAddress {
  const { views, links, landmarks } = comparison;
  return {
    ...comparison,
    views: [...views, null],
    links: links === "off" ? links : [...links, null],
    landmarks: landmarks.map((landmark) => [...landmark, null]),
  };
}

/** Another slide in a pane: nothing is known of how it lies. */
export function withOtherSlide(comparison: ComparisonAddress, pane: number): ComparisonAddress {
  const { views, links, landmarks } = comparison;
  return {
    ...comparison,
    views: views.with(pane, null),
    links: links === "off" ? links : links.map((link, i) => (pane === 0 || pane === i + 1 ? null : link)),
    landmarks: landmarks.map((landmark) => landmark.with(pane, null)).filter(isMarkedTwice),
  };
}

/** Without a pane; where it was the first one, the others lie as their views say. */
export function withoutPane(comparison: ComparisonAddress, pane: number): ComparisonAddress {
  const { views, links, landmarks } = withOtherSlide(comparison, pane);
  return {
    ...comparison,
    views: views.toSpliced(pane, 1),
    links: links === "off" ? links : links.toSpliced(Math.max(0, pane - 1), 1),
    landmarks: landmarks.map((landmark) => landmark.toSpliced(pane, 1)),
    swiped: [0, 1],
  };
}

const isMarkedTwice = (landmark: Landmark): boolean => landmark.filter(Boolean).length > 1;

function linkText({ registration, zoom }: Link): string {
  const { l0_dx, l0_dy, scale, rotation, planeShift, mirrored, stretch, shear } = registration;
  const numbers = [
    l0_dx.toFixed(3),
    l0_dy.toFixed(3),
    scale.toPrecision(12),
    rotation.toFixed(6),
    planeShift.toFixed(3),
    zoom.toPrecision(9),
  ];
  const drawn = stretch === 0 && shear === 0 ? [] : [Number(stretch.toFixed(9)), Number(shear.toFixed(9))];
  return [...numbers.map(Number), mirrored ? 1 : 0, ...drawn].join(",");
}

function landmarkText(landmark: Landmark): string {
  return landmark.map((at) => (at ? [at.l0_x, at.l0_y].map((value) => Number(value.toFixed(1))) : ",")).join(",");
}

function parseLandmarks(text: string | null, panes: number): readonly Landmark[] {
  const landmarks = text ? text.split(";").map((row) => parseLandmark(row.split(","), panes)) : [];
  if (landmarks.length > MAX_LANDMARKS || landmarks.includes(null)) return [];
  return landmarks as Landmark[];
}

function parseLandmark(texts: readonly string[], panes: number): Landmark | null {
  const points = Array.from({ length: panes }, (_, pane): Point | null => {
    const [x, y] = [texts[2 * pane], texts[2 * pane + 1]];
    return x && y ? { l0_x: Number(x), l0_y: Number(y) } : null;
  });
  const good = points.every((at) => at === null || (Number.isFinite(at.l0_x) && Number.isFinite(at.l0_y)));
  return good && texts.length === 2 * panes && points.some(Boolean) ? points : null;
}

function parseLinks(text: string | null, planeSteps: readonly number[]): ComparisonAddress["links"] {
  if (text === "off") return text;
  const texts = text?.split(";") ?? [];
  return planeSteps.map((planeStep, i) => (texts[i] ? parseLink(texts[i], planeStep) : null));
}

function parseLink(text: string, planeStep: number): Link | null {
  const numbers = text.split(",").map((part) => (part === "" ? NaN : Number(part)));
  const [l0_dx, l0_dy, scale, rotation, planeShift, zoom, mirrored, stretch = 0, shear = 0] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number?,
    number?,
  ];
  if (numbers.length < 7 || !numbers.every(Number.isFinite) || scale <= 0 || zoom <= 0) return null;
  const registration = {
    l0_dx,
    l0_dy,
    scale,
    rotation: turned(rotation),
    mirrored: mirrored === 1,
    stretch,
    shear,
    planeStep,
    planeShift,
  };
  return { registration, zoom };
}

function parseSwiped(text: string | null, panes: number): TwoPanes {
  const [lower = -1, upper = -1] = Array.from(text ?? "", (letter) => LETTERS.indexOf(letter.toUpperCase()));
  return lower >= 0 && lower < upper && upper < panes ? [lower, upper] : [0, 1];
}

function prefixed(prefix: string, viewLink: ViewLink): string[] {
  return viewLinkHash(viewLink)
    .slice(1)
    .split("&")
    .map((part) => prefix + part);
}

const earlierView = (pane: number, parts: URLSearchParams): ViewLink | null =>
  pane < EARLIER.length ? viewLinkUnder(EARLIER[pane]!, parts) : null;

function viewLinkUnder(name: string, parts: URLSearchParams): ViewLink | null {
  const prefix = `${name}.`;
  const own = new URLSearchParams();
  for (const [key, value] of parts) if (key.startsWith(prefix)) own.set(key.slice(prefix.length), value);
  return parseViewLink(own.toString());
}

function share(text: string | null, otherwise: number): number {
  const value = text ? Number(text) : NaN;
  return value >= 0 && value <= 1 ? value : otherwise;
}
