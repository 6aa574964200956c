/** What is counted: totals, densities and an index of points by class (annotations.md, AN34 to AN36). Pure. */
import { isInside } from "@wavescope/core/geometry/outline";
import { type Mpp, measure } from "@wavescope/core/geometry/measure";
import { type Box, type Part, type Shape, boxOf, polygon } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { mayOverlap } from "./fields";

/** A part of the slide in which points are counted. */
export interface Region {
  readonly name: string;
  readonly shape: Shape;
}

/** Finds annotations; `SpatialIndex` is one. */
export interface Points {
  all(): Iterable<readonly [string, Content]>;
  within(box: Box): Iterable<{ readonly id: string; readonly content: Content }>;
}

/** Points of each class, in the order in which the classes are given. */
export type Counts = readonly number[];

export interface Total {
  readonly counts: Counts;
  /** The sum of the regions; null: the whole slide, or the slide has no scale. */
  readonly mm2: number | null;
  /** Whether regions may overlap: their points count once, the common area twice. */
  readonly overlapping: boolean;
  readonly parts: readonly { readonly name: string; readonly counts: Counts; readonly mm2: number | null }[];
}

/** The points of the classes in regions; `regions` null: on the whole slide. A point in several regions counts once in the sum. */
export function total(
  points: Points,
  classes: readonly string[],
  regions: readonly Region[] | null,
  mpp: Mpp | null,
): Total {
  if (!regions) {
    const counts = classes.map(() => 0);
    for (const [, content] of points.all()) tally(counts, classes, content, () => true);
    return { counts, mm2: null, overlapping: false, parts: [] };
  }
  const seen = new Set<string>();
  const counts = classes.map(() => 0);
  const parts = regions.map(({ name, shape }) => {
    const own = classes.map(() => 0);
    for (const { id, content } of points.within(boxOf(shape))) {
      tally(own, classes, content, (x, y) => isInside(shape, x, y));
      tally(
        counts,
        classes,
        content,
        (x, y, i) => isInside(shape, x, y) && !seen.has(`${id} ${i}`) && !!seen.add(`${id} ${i}`),
      );
    }
    return { name, counts: own, mm2: areaMm2(shape, mpp) };
  });
  const overlapping = regions.some(({ shape }, i) =>
    regions.slice(0, i).some((other) => mayOverlap(shape, other.shape)),
  );
  return { counts, mm2: mpp && parts.reduce((sum, { mm2 }) => sum + mm2!, 0), overlapping, parts };
}

/** Adds the points of an annotation that are to be counted to its class. */
function tally(
  counts: number[],
  classes: readonly string[],
  { shape, class: name }: Content,
  holds: (x: number, y: number, i: number) => boolean,
): void {
  const at = shape.kind === "point" ? classes.indexOf(name) : -1;
  if (at < 0) return;
  for (const part of shape.parts)
    for (let i = 0; i + 1 < part.length; i += 2) if (holds(part[i]!, part[i + 1]!, i)) counts[at]! += 1;
}

function areaMm2(shape: Shape, mpp: Mpp | null): number | null {
  return mpp && measure(shape, mpp).area! / 1e6;
}

/** How many in an area of `mm2` there are at the density of `count` in `of` mm². Null: there is no area. */
export function per(mm2: number, count: number, of: number | null): number | null {
  return of === null || of === 0 ? null : (count * mm2) / of;
}

/** The share of the first class in the first two, with the interval of Wilson (1927) at 95 %; null: nothing is counted. */
export function indexOf([positive = 0, negative = 0]: Counts): {
  share: number;
  n: number;
  low: number;
  high: number;
} | null {
  const n = positive + negative;
  if (n === 0) return null;
  const z = 1.959963984540054;
  const share = positive / n;
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return { share, n, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The part of a convex outline (x, y ... of its corners) that lies on the slide (Sutherland and Hodgman); null: none. */
export function onSlide(corners: Part, width: number, height: number): Shape | null {
  let ring: Part = corners;
  const edges: ((x: number, y: number) => number)[] = [(x) => x, (_, y) => y, (x) => width - x, (_, y) => height - y];
  for (const inside of edges) {
    const next: number[] = [];
    for (let i = 0; i < ring.length; i += 2) {
      const j = (i + 2) % ring.length;
      const [x0, y0, x1, y1] = [ring[i]!, ring[i + 1]!, ring[j]!, ring[j + 1]!];
      const [a, b] = [inside(x0, y0), inside(x1, y1)];
      if (a >= 0) next.push(x0, y0);
      if (a >= 0 !== b >= 0) next.push(x0 + ((x1 - x0) * a) / (a - b), y0 + ((y1 - y0) * a) / (a - b));
    }
    ring = next;
  }
  return ring.length >= 6 ? polygon("polygon", ring) : null;
}
