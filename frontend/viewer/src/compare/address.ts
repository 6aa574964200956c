/**
 * Two slides in an address: `/compare?left=ID&right=ID&mode=swipe#left.x=...&right.x=...&link=...&divider=0.5&blend=0.7&swapped=1`.
 * Only the two ids are required. Parts that are unknown are passed over and parts that make no sense count as not given.
 * `link` is `l0_dx,l0_dy,scale,rotation,planeShift,zoom,mirrored` and, where it is no similarity, `,stretch,shear`; or `off`.
 * `automatic=1`: the slides are aligned by their registration.
 * `marks` are landmarks, pair after pair: `left_x,left_y,right_x,right_y` in level-0 pixels, with `;` between pairs.
 */
import { type ViewLink, parseViewLink, viewLinkHash, turned } from "../core/viewLink";
import { type LandmarkPair, MAX_PAIRS } from "./landmarks";
import type { Link } from "./registration";

export type Mode = "side" | "swipe";

export interface ComparisonAddress {
  readonly mode: Mode;
  readonly left: ViewLink | null;
  readonly right: ViewLink | null;
  /** `off`: the slides are moved each by itself. Null: not said. */
  readonly link: Link | "off" | null;
  readonly landmarks: readonly LandmarkPair[];
  /** Whether the slides are aligned automatically; `link` is what that comes nearest to. */
  readonly automatic?: boolean;
  /** Where swiping divides the field, from its left edge (0) to its right (1). */
  readonly divider: number;
  /** How much of the upper slide is seen in its part: 0 nothing, 1 all. */
  readonly blend: number;
  /** Whether the upper slide lies to the left of the divider. */
  readonly swapped: boolean;
}

export interface ComparedSlides {
  readonly left: string;
  readonly right: string;
}

export function parseIds(search: string): ComparedSlides | null {
  const query = new URLSearchParams(search);
  const [left, right] = [query.get("left"), query.get("right")];
  return left && right ? { left, right } : null;
}

/** `planeStep` comes from the slides, not from the address. */
export function parseComparison(search: string, hash: string, planeStep: number): ComparisonAddress {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    mode: new URLSearchParams(search).get("mode") === "swipe" ? "swipe" : "side",
    left: viewLinkUnder("left.", parts),
    right: viewLinkUnder("right.", parts),
    link: parseLink(parts.get("link"), planeStep),
    landmarks: parseLandmarks(parts.get("marks")),
    automatic: parts.get("automatic") === "1",
    divider: share(parts.get("divider"), 0.5),
    blend: share(parts.get("blend"), 1),
    swapped: parts.get("swapped") === "1",
  };
}

/** The part from `#` on; `mode` and the ids are of the query. */
export function comparisonHash(comparison: Omit<ComparisonAddress, "mode">): string {
  const parts = [
    ...(comparison.left ? prefixed("left.", comparison.left) : []),
    ...(comparison.right ? prefixed("right.", comparison.right) : []),
  ];
  if (comparison.link === "off") parts.push("link=off");
  else if (comparison.link) parts.push(`link=${linkText(comparison.link)}`);
  if (comparison.automatic) parts.push("automatic=1");
  if (comparison.landmarks.length > 0) parts.push(`marks=${landmarksText(comparison.landmarks)}`);
  if (comparison.divider !== 0.5) parts.push(`divider=${Number(comparison.divider.toFixed(4))}`);
  if (comparison.blend !== 1) parts.push(`blend=${Number(comparison.blend.toFixed(3))}`);
  if (comparison.swapped) parts.push("swapped=1");
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

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

function landmarksText(landmarks: readonly LandmarkPair[]): string {
  const numbers = ({ left, right }: LandmarkPair): number[] =>
    [left.l0_x, left.l0_y, right.l0_x, right.l0_y].map((value) => Number(value.toFixed(1)));
  return landmarks.map((pair) => numbers(pair).join(",")).join(";");
}

function parseLandmarks(text: string | null): readonly LandmarkPair[] {
  if (!text) return [];
  const rows = text.split(";").map((row) => row.split(",").map((part) => (part === "" ? NaN : Number(part))));
  if (rows.length > MAX_PAIRS || !rows.every((row) => row.length === 4 && row.every(Number.isFinite))) return [];
  return (rows as [number, number, number, number][]).map(([left_x, left_y, right_x, right_y]) => ({
    left: { l0_x: left_x, l0_y: left_y },
    right: { l0_x: right_x, l0_y: right_y },
  }));
}

function parseLink(text: string | null, planeStep: number): Link | "off" | null {
  if (text === null || text === "off") return text;
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

function prefixed(prefix: string, viewLink: ViewLink): string[] {
  return viewLinkHash(viewLink)
    .slice(1)
    .split("&")
    .map((part) => prefix + part);
}

function viewLinkUnder(prefix: string, parts: URLSearchParams): ViewLink | null {
  const own = new URLSearchParams();
  for (const [key, value] of parts) if (key.startsWith(prefix)) own.set(key.slice(prefix.length), value);
  return parseViewLink(own.toString());
}

function share(text: string | null, otherwise: number): number {
  const value = text ? Number(text) : NaN;
  return value >= 0 && value <= 1 ? value : otherwise;
}
