/**
 * Sums, differences and parts of areas, by Clipper2. Coordinates are level-0 pixels, rounded to hundredths, as hands draw them. What lies
 * inside an odd number of a shape's rings belongs to it. Pure.
 */
import {
  ClipType,
  Clipper,
  EndType,
  FillRule,
  JoinType,
  type Path64,
  type Paths64,
  type PolyPath64,
  PolyTree64,
} from "clipper2-ts";
import { outlinesOf } from "@wavescope/core/geometry/outline";
import { type Part, type Shape, isClosed } from "@wavescope/core/geometry/shape";

const UNITS = 100; // in a pixel
const MITER = 2; // Clipper's default; round joins do not use it

/** Everything that lies in one of the areas; null: they have no inside. */
export const union = (areas: readonly Shape[]): Shape | null => combined(ClipType.Union, areas.flatMap(pathsOf), []);

/** What lies in the area and in none of the others; null: nothing. */
export const difference = (area: Shape, others: readonly Shape[]): Shape | null =>
  combined(ClipType.Difference, pathsOf(area), others.flatMap(pathsOf));

/** What lies in every one of the areas; null: nothing. */
export function intersection([first, ...others]: readonly Shape[]): Shape | null {
  let shared: Shape | null = first ?? null;
  for (const other of others) shared = shared && combined(ClipType.Intersection, pathsOf(shared), pathsOf(other));
  return shared;
}

/** Each part that does not touch the others as an area of its own, with its holes. */
export function partsOf(area: Shape): Shape[] {
  let first = 0;
  return area.groups.map((count) => {
    const parts = area.parts.slice(first, (first += count));
    return area.groups.length === 1 ? area : { kind: "polygon", type: "Polygon", parts, groups: [count] };
  });
}

/** The parts that lines cut an area into; the cut is two hundredths of a pixel wide. */
export function cut(area: Shape, lines: readonly Shape[]): Shape[] {
  const blades = lines.flatMap(outlinesOf).map((line) => blade(line));
  const left = combined(ClipType.Difference, pathsOf(area), blades.flat());
  return left ? partsOf(left) : [];
}

/** What a round brush covers along a path. `radius` in level-0 pixels; round ends deviate by at most a fiftieth of it. */
export function stroke(path: Part, radius: number): Shape {
  const paths = Clipper.inflatePaths(
    [pathOf(path)],
    radius * UNITS,
    JoinType.Round,
    EndType.Round,
    MITER,
    Math.max(1, (radius * UNITS) / 50),
  );
  return combined(ClipType.Union, paths, []) ?? { kind: "polygon", type: "Polygon", parts: [], groups: [] };
}

function blade(line: Part): Paths64 {
  return Clipper.inflatePaths([pathOf(line)], 1, JoinType.Miter, EndType.Butt);
}

function combined(how: ClipType, subject: Paths64, clip: Paths64): Shape | null {
  const tree = new PolyTree64();
  Clipper.booleanOpWithPolyTree(how, subject, clip, tree, FillRule.NonZero);
  const polygons = [...polygonsOf(tree)];
  if (polygons.length === 0) return null;
  return {
    kind: "polygon",
    type: polygons.length === 1 ? "Polygon" : "MultiPolygon",
    parts: polygons.flat(),
    groups: polygons.map(({ length }) => length),
  };
}

/** The polygons of a tree, each its outline and its holes; those within holes are polygons of their own. */
function* polygonsOf(tree: PolyPath64): Generator<Part[]> {
  for (let i = 0; i < tree.count; i += 1) {
    const outer = tree.child(i);
    const holes = Array.from({ length: outer.count }, (_, k) => outer.child(k));
    yield [outer, ...holes].map(({ poly }) => partOf(poly!));
    for (const hole of holes) yield* polygonsOf(hole);
  }
}

/** The rings of an area, so that each point inside is enclosed once. */
function pathsOf(area: Shape): Paths64 {
  return isClosed(area) ? Clipper.union(outlinesOf(area).map(pathOf), FillRule.EvenOdd) : [];
}

function pathOf(part: Part): Path64 {
  const path: Path64 = [];
  for (let i = 0; i < part.length; i += 2)
    path.push({ x: Math.round(part[i]! * UNITS), y: Math.round(part[i + 1]! * UNITS) });
  return path;
}

function partOf(path: Path64): Part {
  return [...path, path[0]!].flatMap(({ x, y }) => [x / UNITS, y / UNITS]);
}
