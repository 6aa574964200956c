import { describe, expect, it } from "vitest";
import { distanceTo, ellipse, isInside, nearestOn, outlinesOf, simplified } from "./outline";
import { type Shape, boxOf, boxed, line, point, polygon } from "./shape";

const square = boxed("rectangle", { minX: 10, minY: 20, maxX: 30, maxY: 40 });
/** A square of side 20 with a hole of side 10 in its middle. */
const ring: Shape = {
  ...square,
  kind: "polygon",
  parts: [square.parts[0]!, [15, 25, 25, 25, 25, 35, 15, 35, 15, 25]],
  groups: [2],
};

describe("outlinesOf", () => {
  it("gives no lines for points and texts, and the parts of what is drawn as it is", () => {
    expect(outlinesOf(point("point", 1, 2))).toEqual([]);
    expect(outlinesOf(point("text", 1, 2))).toEqual([]);
    expect(outlinesOf(square)).toBe(square.parts);
  });

  it("gives an arrow two barbs of equal length behind its tip", () => {
    const [shaft, head] = outlinesOf(line("arrow", [0, 0, 100, 50]));
    const [x0, y0, tipX, tipY, x1, y1] = head as [number, number, number, number, number, number];
    expect(shaft).toEqual([0, 0, 100, 50]);
    expect([tipX, tipY]).toEqual([100, 50]);
    const barbs = [Math.hypot(x0 - 100, y0 - 50), Math.hypot(x1 - 100, y1 - 50)];
    expect(barbs[0]).toBeCloseTo(barbs[1]!);
    expect(barbs[0]).toBeCloseTo(0.18 * Math.hypot(100, 50));
    for (const [x, y] of [
      [x0, y0],
      [x1, y1],
    ])
      expect(Math.hypot(x!, y!)).toBeLessThan(Math.hypot(100, 50));
  });

  it("gives an ellipse as a closed line within its box that touches all four sides", () => {
    const box = { minX: -10, minY: 5, maxX: 40, maxY: 15 };
    const corners = ellipse(box);
    expect(corners.slice(0, 2)).toEqual(corners.slice(-2));
    const reached = boxOf({ parts: [corners] });
    for (const side of ["minX", "minY", "maxX", "maxY"] as const) expect(reached[side]).toBeCloseTo(box[side]);
  });
});

describe("nearestOn", () => {
  const corner = [0, 0, 10, 0, 10, 10];
  it.each([
    ["over the first part", 4, 3, 3, 0],
    ["beside the second part", 12, 5, 2, 1],
    ["before the beginning", -3, -4, 5, 0],
    ["past the end", 10, 13, 3, 1],
    ["at the corner", 10, 0, 0, 0],
  ])("%s", (_, x, y, distance, after) => {
    expect(nearestOn(corner, x, y)).toEqual({ distance, after });
  });

  it("takes a line without length for a point", () => {
    expect(nearestOn([5, 5, 5, 5], 8, 9).distance).toBe(5);
  });
});

describe("distanceTo", () => {
  it("is measured to the nearest of several points, and to the line of what is drawn", () => {
    const points: Shape = { kind: "point", type: "MultiPoint", parts: [[0, 0, 100, 0]], groups: [] };
    expect(distanceTo(points, 103, 4)).toBe(5);
    expect(distanceTo(square, 20, 30)).toBe(10);
    expect(distanceTo(ring, 20, 30)).toBe(5);
    expect(distanceTo(line("arrow", [0, 0, 100, 0]), 50, 7)).toBeCloseTo(7);
  });
});

describe("isInside", () => {
  it.each([
    [20, 30, true, false],
    [12, 22, true, true],
    [9, 30, false, false],
    [31, 30, false, false],
    [20, 41, false, false],
  ])("(%i, %i): of the square %s, of the square with a hole %s", (x, y, whole, pierced) => {
    expect([isInside(square, x, y), isInside(ring, x, y)]).toEqual([whole, pierced]);
  });

  it("follows the ellipse, not its box, and holds for nothing that is open", () => {
    const round = boxed("ellipse", { minX: 0, minY: 0, maxX: 20, maxY: 20 });
    expect([isInside(round, 10, 10), isInside(round, 1, 1)]).toEqual([true, false]);
    expect(isInside(line("line", [0, 0, 20, 0, 20, 20]), 15, 5)).toBe(false);
    expect(isInside(point("point", 1, 1), 1, 1)).toBe(false);
  });

  it("treats a concave outline right", () => {
    const shape = polygon("polygon", [0, 0, 30, 0, 30, 30, 20, 30, 20, 10, 10, 10, 10, 30, 0, 30]);
    expect([5, 15, 25].map((x) => isInside(shape, x, 20))).toEqual([true, false, true]);
  });
});

describe("simplified", () => {
  it("drops what lies within the tolerance of the line, never the ends", () => {
    expect(simplified([0, 0, 5, 0.4, 10, 0], 0.5)).toEqual([0, 0, 10, 0]);
    expect(simplified([0, 0, 5, 0.6, 10, 0], 0.5)).toEqual([0, 0, 5, 0.6, 10, 0]);
  });

  it("leaves every dropped position within the tolerance of what is left", () => {
    const wave = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? i / 2 : 8 * Math.sin(i / 30) + (i % 7) / 10));
    for (const tolerance of [0.1, 0.5, 2, 10]) {
      const less = simplified(wave, tolerance);
      expect(less.length).toBeLessThanOrEqual(wave.length);
      expect(less.length % 2).toBe(0);
      for (let i = 0; i < wave.length; i += 2)
        expect(nearestOn(less, wave[i]!, wave[i + 1]!).distance).toBeLessThanOrEqual(tolerance + 1e-9);
    }
  });
});
