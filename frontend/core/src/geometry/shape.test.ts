import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { measure } from "./measure";
import { distanceTo, ellipse, isInside, outlinesOf, simplified } from "./outline";
import {
  type GeometryType,
  type Kind,
  type Part,
  type Shape,
  boxOf,
  boxed,
  line,
  moved,
  point,
  polygon,
  sameShape,
} from "./shape";

interface Case {
  readonly name: string;
  readonly mpp: [number, number] | null;
  readonly content: { kind: Kind; geometry: { type: GeometryType; coordinates: unknown } };
  readonly length: number | null;
  readonly area: number | null;
  readonly angle: number | null;
}

const vectors = new URL("../../../../shared/vectors/annotations/measures.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8")) as { cases: Case[] };

const flat = (value: unknown): number[] => (value as unknown[]).flat(9) as number[];

function shapeOf({ kind, geometry: { type, coordinates } }: Case["content"]): Shape {
  const listed = coordinates as unknown[][];
  if (type === "MultiPolygon")
    return { kind, type, parts: listed.flat().map(flat), groups: listed.map((rings) => rings.length) };
  if (type === "Polygon") return { kind, type, parts: listed.map(flat), groups: [listed.length] };
  if (type === "MultiLineString") return { kind, type, parts: listed.map(flat), groups: [] };
  return { kind, type, parts: [flat(coordinates)], groups: [] };
}

describe("measure", () => {
  it.each(cases)("AN13: $name", ({ mpp, content, ...expected }) => {
    const found = measure(shapeOf(content), mpp && { x: mpp[0], y: mpp[1] });
    for (const name of ["length", "area", "angle"] as const) {
      if (expected[name] === null) expect(found[name]).toBeNull();
      else expect(found[name]).toBeCloseTo(expected[name], 8);
    }
  });
});

describe("shapes", () => {
  const square = boxed("rectangle", { minX: 0, minY: 0, maxX: 10, maxY: 10 });

  it("know their box, move, and are the same only with the same numbers", () => {
    expect(boxOf(moved(square, 5, -2))).toEqual({ minX: 5, minY: -2, maxX: 15, maxY: 8 });
    expect(sameShape(square, moved(moved(square, 1, 1), -1, -1))).toBe(true);
    expect(sameShape(square, moved(square, 0, 0.01))).toBe(false);
    expect(sameShape(square, { ...square, kind: "ellipse" })).toBe(false);
  });

  it("are hit on their lines and inside, not in their holes", () => {
    const ring: Shape = {
      ...polygon("polygon", [0, 0, 10, 0, 10, 10, 0, 10]),
      parts: [square.parts[0]!, [4, 4, 6, 4, 6, 6, 4, 6, 4, 4]],
      groups: [2],
    };
    expect([isInside(ring, 2, 2), isInside(ring, 5, 5), isInside(ring, 11, 5)]).toEqual([true, false, false]);
    expect(distanceTo(square, 5, 2)).toBe(2);
    expect(distanceTo(line("line", [0, 0, 10, 0]), 13, 4)).toBe(5);
    expect(distanceTo(point("point", 3, 4), 0, 0)).toBe(5);
    expect(isInside(boxed("ellipse", { minX: 0, minY: 0, maxX: 10, maxY: 10 }), 0.5, 0.5)).toBe(false);
  });

  it("are drawn as lines: ellipses within their box, arrows with a head", () => {
    const box = { minX: 3, minY: 5, maxX: 33, maxY: 25 };
    expect(boxOf({ parts: [ellipse(box)] })).toEqual(box);
    expect(outlinesOf(line("arrow", [0, 0, 100, 0])).map((part) => part.length)).toEqual([4, 6]);
    expect(outlinesOf(point("text", 1, 1))).toEqual([]);
  });

  it("lose places that a straight line does not need", () => {
    const wavy: Part = Array.from({ length: 101 }, (_, i) => [i, i === 50 ? 20 : (i % 2) * 0.1]).flat();
    const simple = simplified(wavy, 0.5);
    expect(simple.slice(0, 2)).toEqual([0, 0]);
    expect(simple).toContain(20);
    expect(simple.length).toBeLessThan(14);
    expect(simplified([0, 0, 5, 5], 1)).toEqual([0, 0, 5, 5]);
  });
});
