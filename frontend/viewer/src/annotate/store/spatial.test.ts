import { describe, expect, it } from "vitest";
import { boxed, line, point } from "@wavescope/core/geometry/shape";
import { seeded } from "@wavescope/core/wire/testing";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { SpatialIndex } from "./spatial";
import { someContent } from "./testing";

const rectangle = (minX: number, minY: number, maxX: number, maxY: number): Content =>
  someContent(0, { shape: boxed("rectangle", { minX, minY, maxX, maxY }) });
const seen = (): boolean => true;

function indexOf(entries: Readonly<Record<string, Content>>): SpatialIndex {
  const index = new SpatialIndex();
  index.update(Object.entries(entries));
  return index;
}

describe("SpatialIndex", () => {
  it("forgets many objects at once", () => {
    const index = new SpatialIndex();
    index.update(Array.from({ length: 2000 }, (_, i) => [`${i}`, someContent(i)] as const));
    index.update(Array.from({ length: 1500 }, (_, i) => [`${i}`, null] as const));
    expect([index.size, index.within({ minX: 0, minY: -1, maxX: 2000, maxY: 1 }).length]).toEqual([500, 500]);
  });

  it("knows objects by id, in the order in which they came, and forgets those that are gone", () => {
    const index = indexOf({ a: someContent(1), b: someContent(2), c: someContent(3) });
    index.update([
      ["a", null],
      ["b", someContent(20)],
      ["z", null],
    ]);
    expect(index.size).toBe(2);
    expect(index.get("a")).toBeUndefined();
    expect([...index.all()].map(([id]) => id)).toEqual(["c", "b"]);
    const everywhere = { minX: -100, minY: -100, maxX: 100, maxY: 100 };
    expect(
      index
        .within(everywhere)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["b", "c"]);
    expect(index.within({ ...everywhere, maxX: 2.5 })).toEqual([]);
  });

  it.each([
    ["a few changes, one by one", 400],
    ["many changes, loaded at once", 600],
  ])("finds the same as looking at all: %s", (_, count) => {
    const random = seeded(count);
    const some = (): Content => {
      const [x, y] = [random() * 1000, random() * 1000];
      return rectangle(x, y, x + random() * 50, y + random() * 50);
    };
    const index = new SpatialIndex();
    index.update(Array.from({ length: count }, (__, i) => [`${i}`, some()] as const));
    index.update(Array.from({ length: count / 4 }, (__, i) => [`${i * 2}`, i % 2 ? null : some()] as const));
    for (let i = 0; i < 30; i += 1) {
      const [x, y, size] = [random() * 1000, random() * 1000, random() * 200];
      const box = { minX: x, minY: y, maxX: x + size, maxY: y + size };
      const found = index.within(box).map(({ id }) => id);
      const expected = [...index.all()].filter(([, { shape }]) => {
        const [left, top, right, , , bottom] = shape.parts[0] as [number, number, number, number, number, number];
        return left <= box.maxX && right >= box.minX && top <= box.maxY && bottom >= box.minY;
      });
      expect([...found].sort()).toEqual(expected.map(([id]) => id).sort());
    }
  });
});

describe("hit", () => {
  it("means the nearest line or point within reach before any shape around it", () => {
    const index = indexOf({
      around: rectangle(0, 0, 100, 100),
      near: someContent(0, { shape: point("point", 50, 53) }),
      far: someContent(0, { shape: line("line", [40, 58, 60, 58]) }),
    });
    expect(index.hit(50, 50, 10, seen)).toBe("near");
    expect(index.hit(50, 56, 10, seen)).toBe("far");
    expect(index.hit(50, 50, 2, seen)).toBe("around");
  });

  it("means the smallest of the shapes around it", () => {
    const index = indexOf({
      large: rectangle(0, 0, 100, 100),
      small: rectangle(40, 40, 60, 60),
      beside: rectangle(70, 70, 75, 75),
    });
    expect(index.hit(50, 50, 1, seen)).toBe("small");
    expect(index.hit(10, 50, 1, seen)).toBe("large");
  });

  it("means nothing where nothing is, and nothing that is not seen", () => {
    const index = indexOf({ a: rectangle(0, 0, 100, 100), b: rectangle(40, 40, 60, 60) });
    expect(index.hit(500, 500, 10, seen)).toBeNull();
    expect(index.hit(50, 50, 1, (content) => content !== index.get("b"))).toBe("a");
    expect(index.hit(50, 50, 1, () => false)).toBeNull();
  });
});
