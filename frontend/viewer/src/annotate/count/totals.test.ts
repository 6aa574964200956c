import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Shape, boxed, point, polygon } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { type Points, indexOf, onSlide, per, total } from "./totals";

function someContent(more: Pick<Content, "shape" | "class">): Content {
  return { z: 0, name: "", text: "", color: null, foreign: {}, ...more };
}

/** Finds every annotation everywhere: what is inside is decided by what is tested. */
class AllPoints implements Points {
  private entries: readonly (readonly [string, Content])[] = [];

  update(entries: readonly (readonly [string, Content])[]): void {
    this.entries = entries;
  }

  all = () => this.entries;
  within = () => this.entries.map(([id, content]) => ({ id, content }));
}

interface Region {
  readonly name: string;
  readonly kind: "rectangle" | "polygon" | "ellipse";
  readonly corners: readonly (readonly [number, number])[];
  readonly positive: number;
  readonly negative: number;
  readonly pixels: number;
}

const file = new URL("../../../../../shared/vectors/annotations/counting.json", import.meta.url);
const { mpp, cells, regions } = JSON.parse(readFileSync(file, "utf8")) as {
  readonly mpp: number;
  readonly cells: readonly (readonly [number, number, number])[];
  readonly regions: readonly Region[];
};
const CLASSES = ["Positive", "Negative"];
const MPP = { x: mpp, y: mpp };

const index = new AllPoints();
index.update(
  cells.map(([x, y, positive], i) => [
    String(i),
    someContent({ shape: point("point", x, y), class: positive ? "Positive" : "Negative" }),
  ]),
);

function shapeOf({ kind, corners }: Region): Shape {
  const [first, , third] = corners;
  if (kind === "polygon") return polygon(kind, corners.flat());
  return boxed(kind, { minX: first![0], minY: first![1], maxX: third![0], maxY: third![1] });
}

describe("AN34: the known cells of the specimen", () => {
  it.each(regions.filter(({ kind }) => kind !== "ellipse"))(
    "in the $name: counts, area and density are those of its pixels",
    (region) => {
      const found = total(index, CLASSES, [{ name: region.name, shape: shapeOf(region) }], MPP);
      expect(found.counts).toEqual([region.positive, region.negative]);
      expect(Math.round(found.mm2! * 1e6 * 1e6) / 1e6 / mpp ** 2).toBe(region.pixels);
      expect(per(1, region.positive, found.mm2)).toBeCloseTo(region.positive / (region.pixels * mpp ** 2 * 1e-6), 6);
    },
  );

  it("in a circle: the counts of its pixels, and the area of a circle", () => {
    const region = regions.find(({ kind }) => kind === "ellipse")!;
    const found = total(index, CLASSES, [{ name: "circle", shape: shapeOf(region) }], MPP);
    expect(found.counts).toEqual([region.positive, region.negative]);
    expect(found.mm2! * 1e6).toBeCloseTo(Math.PI * (200 * mpp) ** 2, 6);
    expect(Math.abs(Math.PI * 200 ** 2 - region.pixels)).toBeLessThan(200); // pixels of its edge
  });

  it("on the whole slide: all of them, without an area", () => {
    const { counts, mm2 } = total(index, CLASSES, null, MPP);
    expect(counts[0]! + counts[1]!).toBe(cells.length);
    expect([counts[0], mm2]).toEqual([cells.filter(([, , positive]) => positive).length, null]);
  });

  it("count once in the sum of regions that overlap, which is said", () => {
    const both = regions
      .filter(({ kind }) => kind !== "ellipse")
      .map((region) => ({ name: region.name, shape: shapeOf(region) }));
    const found = total(index, CLASSES, both, MPP);
    const each = found.parts.reduce((sum, { counts }) => sum + counts[0]!, 0);
    const union = cells.filter(
      ([x, y, positive]) =>
        positive &&
        both.some(({ shape }) => total(single(x, y), ["Positive"], [{ name: "", shape }], null).counts[0] === 1),
    );
    expect(found.overlapping).toBe(true);
    expect(found.counts[0]).toBe(union.length);
    expect(each).toBeGreaterThan(union.length);
  });
});

function single(x: number, y: number): AllPoints {
  const one = new AllPoints();
  one.update([["one", someContent({ shape: point("point", x, y), class: "Positive" })]]);
  return one;
}

describe("AN34: what counts", () => {
  const side = (x: number) => ({ name: "", shape: boxed("rectangle", { minX: x, minY: 0, maxX: x + 10, maxY: 10 }) });

  it("is a point on the common edge of two boxes in one of them", () => {
    const counts = [0, 10].map((x) => total(single(10, 5), ["Positive"], [side(x)], null).counts[0]);
    expect(counts).toEqual([0, 1]);
    expect(total(single(10, 5), ["Positive"], [side(0), side(10)], null)).toMatchObject({
      counts: [1],
      overlapping: false,
    });
  });

  it("is each position of a MultiPoint, and nothing but points", () => {
    const some = new AllPoints();
    const positions: Shape = { kind: "point", type: "MultiPoint", parts: [[1, 1, 2, 2, 50, 50]], groups: [] };
    some.update([
      ["a", someContent({ shape: positions, class: "Positive" })],
      ["b", someContent({ shape: side(0).shape, class: "Positive" })],
      ["c", someContent({ shape: point("text", 1, 1), class: "Positive" })],
    ]);
    expect(total(some, ["Positive"], null, null).counts).toEqual([3]);
    expect(total(some, ["Positive"], [side(0)], null)).toMatchObject({ counts: [2], mm2: null });
  });
});

describe("AN35: densities and index", () => {
  it("per 10 fields is the density times the area of ten fields", () => {
    expect(per(10 * 0.2376, 12, 2.376)).toBeCloseTo(12, 12);
    expect([per(1, 3, null), per(1, 3, 0)]).toEqual([null, null]);
  });

  it("is the share of the first class in the first two, with Wilson's interval", () => {
    const index = indexOf([30, 170, 999])!;
    expect(index).toMatchObject({ share: 0.15, n: 200 });
    expect([index.low, index.high]).toEqual([expect.closeTo(0.107136, 5), expect.closeTo(0.206, 3)]);
    expect(indexOf([0, 10])).toMatchObject({ share: 0, low: 0 });
    expect(indexOf([0, 0])).toBeNull();
  });
});

describe("AN34: the view as a region", () => {
  it("is what of it lies on the slide", () => {
    expect(onSlide([-10, -10, 30, -10, 30, 20, -10, 20], 100, 80)!.parts[0]!.length).toBe(10);
    const area = (ring: number[]) =>
      total(single(0, 0), [], [{ name: "", shape: onSlide(ring, 100, 80)! }], { x: 1000, y: 1000 }).mm2;
    expect(area([-10, -10, 30, -10, 30, 20, -10, 20])).toBeCloseTo(30 * 20, 9);
    expect(area([50, -20, 130, 40, 50, 100, -30, 40])).toBeCloseTo(7183.3333, 3);
    expect(onSlide([200, 200, 300, 200, 300, 300], 100, 80)).toBeNull();
  });
});
