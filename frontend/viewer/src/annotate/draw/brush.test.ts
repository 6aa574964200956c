import { describe, expect, it } from "vitest";
import { isInside } from "@wavescope/core/geometry/outline";
import { measure } from "@wavescope/core/geometry/measure";
import { type Shape, boxed } from "@wavescope/core/geometry/shape";
import { begun, brushed, done } from "./brush";

const areaOf = (shape: Shape | null): number => (shape ? measure(shape, null).area! : 0);
const square = boxed("rectangle", { minX: 0, minY: 0, maxX: 100, maxY: 100 });

describe("a brush", () => {
  it("makes an area where there is none, as long as it is drawn", () => {
    let stroke = begun(null, [0, 0], 10, false);
    for (const x of [20, 40, 60]) stroke = brushed(stroke, [x, 0]);
    const area = done(stroke)!;
    expect(area.type).toBe("Polygon");
    expect(areaOf(area) / (60 * 20 + Math.PI * 100)).toBeCloseTo(1, 1);
    expect([isInside(area, 65, 0), isInside(area, 75, 0)]).toEqual([true, false]);
  });

  it("adds to an area, also apart from it", () => {
    const grown = done(begun(square, [100, 50], 10, false))!;
    expect(areaOf(grown)).toBeCloseTo(10_000 + (Math.PI * 100) / 2, -1);
    expect(done(begun(square, [200, 50], 10, false))!.type).toBe("MultiPolygon");
  });

  it("wipes: a hole in the middle, and in the end everything", () => {
    const holed = done(begun(square, [50, 50], 10, true))!;
    expect(holed.groups).toEqual([2]);
    let stroke = begun(holed, [0, 0], 300, true);
    stroke = brushed(stroke, [100, 100]);
    expect([stroke.area, done(stroke)]).toEqual([null, null]);
  });

  it("wiping where nothing is changes nothing", () => {
    expect(areaOf(done(begun(square, [300, 300], 10, true)))).toBe(10_000);
    expect(done(begun(null, [0, 0], 10, true))).toBeNull();
  });

  it("leaves few corners: a stroke of 200 steps has less than 200", () => {
    let stroke = begun(null, [0, 0], 10, false);
    for (let i = 1; i <= 200; i += 1) stroke = brushed(stroke, [i, 30 * Math.sin(i / 30)]);
    expect(done(stroke)!.parts[0]!.length / 2).toBeLessThan(200);
  });
});
