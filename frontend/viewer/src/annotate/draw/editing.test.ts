import { describe, expect, it } from "vitest";
import { type Shape, boxOf, boxed, isClosed, line, point, polygon } from "@wavescope/core/geometry/shape";
import { type Handle, handlesOf, isNewCorner, newCornersOf, reshaped, withCorner, withoutCorner } from "./editing";

const rectangle = boxed("rectangle", { minX: 0, minY: 0, maxX: 40, maxY: 20 });
const triangle = polygon("polygon", [0, 0, 40, 0, 20, 30]);
const at = (shape: Shape, x: number, y: number): Handle =>
  handlesOf(shape).find((handle) => handle.x === x && handle.y === y)!;
const isRing = ({ parts }: Shape): boolean =>
  parts.every((part) => part[0] === part[part.length - 2] && part[1] === part[part.length - 1]);

describe("handlesOf", () => {
  it("gives a box its corners and the middles of its edges", () => {
    expect(handlesOf(rectangle).map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [20, 0],
      [40, 0],
      [0, 10],
      [40, 10],
      [0, 20],
      [20, 20],
      [40, 20],
    ]);
  });

  it("gives each corner of a ring one handle, each position of a line one", () => {
    expect(handlesOf(triangle).map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [40, 0],
      [20, 30],
    ]);
    expect(handlesOf(line("line", [1, 2, 3, 4, 5, 6])).length).toBe(3);
    expect(handlesOf(point("point", 7, 8)).map(({ x, y }) => [x, y])).toEqual([[7, 8]]);
  });

  it("gives none where they could not be distinguished", () => {
    const corners = (count: number): number[] => Array.from({ length: 2 * count }, (_, i) => i);
    expect(handlesOf(polygon("freehand", corners(1000))).length).toBe(1000);
    expect(handlesOf(polygon("freehand", corners(1001)))).toEqual([]);
  });
});

describe("newCornersOf", () => {
  it("gives each edge that is long enough a handle in its middle, which makes a corner there", () => {
    expect(newCornersOf(triangle, 38).map(({ x, y }) => [x, y])).toEqual([[20, 0]]);
    const [first, second, third] = newCornersOf(triangle, 10) as [Handle, Handle, Handle];
    expect([first, second, third].map(isNewCorner)).toEqual([true, true, true]);
    expect(reshaped(triangle, first, 20, -10).parts).toEqual([[0, 0, 20, -10, 40, 0, 20, 30, 0, 0]]);
    expect(reshaped(triangle, third, -10, 20).parts).toEqual([[0, 0, 40, 0, 20, 30, -10, 20, 0, 0]]);
    expect(withoutCorner(triangle, second)).toBeNull();
  });

  it("gives none where a shape has no more corners", () => {
    expect(
      [rectangle, line("arrow", [0, 0, 90, 0]), point("point", 1, 2)].flatMap((shape) => newCornersOf(shape, 1)),
    ).toEqual([]);
  });
});

describe("reshaped", () => {
  it.each([
    ["a corner", 40, 20, { minX: 0, minY: 0, maxX: 55, maxY: 66 }],
    ["an edge across", 40, 10, { minX: 0, minY: 0, maxX: 55, maxY: 20 }],
    ["an edge up or down", 20, 20, { minX: 0, minY: 0, maxX: 40, maxY: 66 }],
    ["the corner opposite, past the other one", 0, 0, { minX: 40, minY: 20, maxX: 55, maxY: 66 }],
  ])("drags %s of a box", (_, x, y, box) => {
    expect(boxOf(reshaped(rectangle, at(rectangle, x, y), 55, 66))).toEqual(box);
  });

  it("never makes a box without an area", () => {
    expect(reshaped(rectangle, at(rectangle, 40, 20), 0, 50)).toBe(rectangle);
    expect(reshaped(rectangle, at(rectangle, 20, 20), 3, 0)).toBe(rectangle);
  });

  it("drags one corner of a ring, which stays closed, to hundredths of a pixel", () => {
    for (const { x, y } of handlesOf(triangle)) {
      const shape = reshaped(triangle, at(triangle, x, y), 99.123456, -1.005);
      expect(isRing(shape)).toBe(true);
      expect(shape.parts[0]!.filter((value) => value === 99.12).length).toBe(x === 0 && y === 0 ? 2 : 1);
      expect(shape.parts[0]!.length).toBe(triangle.parts[0]!.length);
    }
  });

  it("leaves the shape that it was given as it is", () => {
    const before = JSON.stringify(triangle);
    reshaped(triangle, at(triangle, 40, 0), 1, 1);
    expect(JSON.stringify(triangle)).toBe(before);
  });
});

describe("withCorner", () => {
  it("adds a corner on the nearest edge, the last one too", () => {
    expect(withCorner(triangle, 20, 1)!.parts[0]).toEqual([0, 0, 20, 1, 40, 0, 20, 30, 0, 0]);
    expect(withCorner(triangle, 9, 15)!.parts[0]).toEqual([0, 0, 40, 0, 20, 30, 9, 15, 0, 0]);
    expect(withCorner(line("line", [0, 0, 10, 0]), 5, 1)!.parts[0]).toEqual([0, 0, 5, 1, 10, 0]);
  });

  it("adds it to the part that is nearest", () => {
    const pierced: Shape = { ...triangle, parts: [...triangle.parts, [15, 5, 25, 5, 20, 10, 15, 5]], groups: [2] };
    const more = withCorner(pierced, 20, 6)!;
    expect([more.parts[0]!.length, more.parts[1]!.length]).toEqual([8, 10]);
    expect(isRing(more)).toBe(true);
  });

  it.each([rectangle, line("arrow", [0, 0, 9, 9]), line("angle", [0, 0, 9, 9, 9, 0]), point("point", 1, 1)])(
    "adds none to a shape whose kind has a fixed number: $kind",
    (shape) => {
      expect(withCorner(shape, 1, 1)).toBeNull();
    },
  );
});

describe("withoutCorner", () => {
  it("takes any corner of a ring away and closes it again", () => {
    const square = polygon("polygon", [0, 0, 10, 0, 10, 10, 0, 10]);
    for (const handle of handlesOf(square)) {
      const less = withoutCorner(square, handle)!;
      expect(handlesOf(less).length).toBe(3);
      expect(isClosed(less) && isRing(less)).toBe(true);
      expect(handlesOf(less).some(({ x, y }) => x === handle.x && y === handle.y)).toBe(false);
    }
  });

  it.each<[string, Shape]>([
    ["a triangle", triangle],
    ["a line of two positions", line("line", [0, 0, 9, 9])],
    ["an arrow", line("arrow", [0, 0, 9, 9])],
    ["an angle", line("angle", [0, 0, 9, 9, 9, 0])],
    ["a point", point("point", 1, 1)],
    ["a box", rectangle],
  ])("takes none from %s", (_, shape) => {
    expect(withoutCorner(shape, handlesOf(shape)[0]!)).toBeNull();
  });

  it("shortens a line of three positions, and several points to one", () => {
    const three = line("line", [0, 0, 5, 5, 9, 0]);
    expect(withoutCorner(three, handlesOf(three)[1]!)!.parts[0]).toEqual([0, 0, 9, 0]);
    const points: Shape = { kind: "point", type: "MultiPoint", parts: [[1, 1, 2, 2]], groups: [] };
    expect(withoutCorner(points, handlesOf(points)[0]!)!.parts[0]).toEqual([2, 2]);
  });
});
