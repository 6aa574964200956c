import { describe, expect, it } from "vitest";
import { isInside } from "@wavescope/core/geometry/outline";
import { measure } from "@wavescope/core/geometry/measure";
import { type Shape, boxed, line, polygon } from "@wavescope/core/geometry/shape";
import { cut, difference, intersection, partsOf, stroke, union } from "./areas";

const box = (minX: number, minY: number, maxX: number, maxY: number): Shape =>
  boxed("rectangle", { minX, minY, maxX, maxY });
const areaOf = (shape: Shape | null): number => (shape ? measure(shape, null).area! : 0);

/** A generator of numbers of 0 to 1, the same each time (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Corners in any order: most of these cross themselves. */
function anyShape(next: () => number): Shape {
  if (next() < 0.2) {
    const [x, y] = [200 * next(), 200 * next()];
    return boxed("ellipse", { minX: x, minY: y, maxX: x + 20 + 100 * next(), maxY: y + 20 + 100 * next() });
  }
  return polygon(
    "polygon",
    Array.from({ length: 2 * (3 + Math.floor(6 * next())) }, () => 300 * next()),
  );
}

describe("areas of random shapes, holes and crossings included", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("contain exactly the points that they should: %i", (seed) => {
    const next = chance(seed);
    const [a, b, c] = [anyShape(next), anyShape(next), anyShape(next)];
    const made = { or: union([a, b, c]), not: difference(a, [b, c]), and: intersection([a, b]) };
    let compared = 0;
    for (let i = 0; i < 3000; i += 1) {
      const [x, y] = [300 * next(), 300 * next()];
      if ([a, b, c].some((shape) => nearEdge(shape, x, y))) continue;
      const within = (shape: Shape | null): boolean => shape !== null && isInside(shape, x, y);
      expect([within(made.or), within(made.not), within(made.and)]).toEqual([
        within(a) || within(b) || within(c),
        within(a) && !within(b) && !within(c),
        within(a) && within(b),
      ]);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(1500);
  });

  /** Where rounding to hundredths, and the 64 corners of an ellipse, may decide otherwise. */
  function nearEdge(shape: Shape, x: number, y: number): boolean {
    const near = shape.kind === "ellipse" ? 0.5 : 0.05;
    const inside = isInside(shape, x, y);
    return [
      [near, 0],
      [-near, 0],
      [0, near],
      [0, -near],
    ].some(([dx, dy]) => isInside(shape, x + dx!, y + dy!) !== inside);
  }
});

describe("merging, subtracting, intersecting", () => {
  it("a hole is part of the result, an island in it is a polygon of its own", () => {
    const ring = difference(box(0, 0, 100, 100), [box(20, 20, 80, 80)])!;
    expect([ring.type, ring.groups]).toEqual(["Polygon", [2]]);
    const both = union([ring, box(40, 40, 60, 60)])!;
    expect([both.type, both.groups, areaOf(both)]).toEqual(["MultiPolygon", [2, 1], 10_000 - 3600 + 400]);
  });

  it("boxes side by side become one without a seam", () => {
    expect(union([box(0, 0, 10, 10), box(10, 0, 20, 10)])!.parts).toHaveLength(1);
  });

  it("nothing is null", () => {
    expect(difference(box(0, 0, 10, 10), [box(-1, -1, 11, 11)])).toBeNull();
    expect(intersection([box(0, 0, 10, 10), box(20, 0, 30, 10)])).toBeNull();
    expect([union([]), union([line("line", [0, 0, 5, 5])]), intersection([])]).toEqual([null, null, null]);
  });

  it("far from the corner of a large slide as near to it", () => {
    const [x, y] = [4_000_000.25, 3_000_000.5];
    expect(areaOf(union([box(x, y, x + 10, y + 10), box(x + 5, y, x + 15, y + 10)]))).toBe(150);
  });
});

describe("splitting", () => {
  it("by its parts: each with its holes, and the sum is the whole", () => {
    const ring = difference(box(0, 0, 100, 100), [box(20, 20, 80, 80)])!;
    const all = union([ring, box(200, 0, 210, 10)])!;
    const parts = partsOf(all).sort((a, b) => areaOf(a) - areaOf(b));
    expect(parts.map((part) => [part.type, part.groups, areaOf(part)])).toEqual([
      ["Polygon", [1], 100],
      ["Polygon", [2], 6400],
    ]);
    expect(partsOf(box(0, 0, 1, 1))).toEqual([box(0, 0, 1, 1)]);
  });

  it("by a line across: two parts that have all but the cut", () => {
    const parts = cut(box(0, 0, 100, 50), [line("line", [-10, 20, 110, 20])]);
    expect(parts.map((part) => Math.round(areaOf(part))).sort()).toEqual([1999, 2999]);
    expect(parts.reduce((sum, part) => sum + areaOf(part), 0)).toBeCloseTo(5000 - 2, 5);
  });

  it("a line that ends inside leaves one part", () => {
    expect(cut(box(0, 0, 100, 50), [line("line", [-10, 20, 50, 20])])).toHaveLength(1);
  });
});

it("a round brush covers a circle, and a path as wide as it is", () => {
  expect(areaOf(stroke([50, 50], 10)) / (Math.PI * 100)).toBeCloseTo(1, 1);
  const along = areaOf(stroke([0, 0, 100, 0], 10));
  expect(along / (2000 + Math.PI * 100)).toBeCloseTo(1, 1);
  expect(along).toBeLessThanOrEqual(2000 + Math.PI * 100);
});
