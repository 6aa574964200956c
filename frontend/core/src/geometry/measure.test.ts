import { describe, expect, it } from "vitest";
import { type Mpp, measure } from "./measure";
import { type Shape, boxed, line, moved, point, polygon } from "./shape";

const box = { minX: 0, minY: 0, maxX: 30, maxY: 40 };
const none = { length: null, area: null, angle: null };

describe("AN13: measure", () => {
  it.each<[string, Shape, Mpp | null, Partial<ReturnType<typeof measure>>]>([
    ["a point has none", point("point", 1, 2), null, {}],
    ["a text has none", point("text", 1, 2), { x: 1, y: 1 }, {}],
    ["a line has its length", line("line", [0, 0, 3, 4, 3, 10]), null, { length: 11 }],
    ["an arrow has its length, without its head", line("arrow", [0, 0, 3, 4]), null, { length: 5 }],
    ["an angle has its degrees", line("angle", [1, 0, 0, 0, 0, 1]), null, { angle: 90 }],
    ["a straight angle has 180", line("angle", [-1, 0, 0, 0, 5, 0]), null, { angle: 180 }],
    ["a rectangle has perimeter and area", boxed("rectangle", box), null, { length: 140, area: 1200 }],
    [
      "micrometres where a pixel's size is known",
      boxed("rectangle", box),
      { x: 0.5, y: 0.5 },
      { length: 70, area: 300 },
    ],
    ["pixels need not be square", line("line", [0, 0, 3, 4]), { x: 2, y: 0 }, { length: 6 }],
    [
      "pixels need not be square: an angle",
      line("angle", [1, 0, 0, 0, 1, 1]),
      { x: 1, y: Math.sqrt(3) },
      { angle: 60 },
    ],
  ])("%s", (_, shape, mpp, expected) => {
    const found = measure(shape, mpp);
    for (const key of ["length", "area", "angle"] as const) {
      const value = expected[key] ?? none[key];
      if (value === null) expect(found[key]).toBeNull();
      else expect(found[key]).toBeCloseTo(value, 9);
    }
  });

  it("takes holes from the area and adds their edge to the perimeter", () => {
    const hole = boxed("rectangle", { minX: 10, minY: 10, maxX: 20, maxY: 20 });
    const outer = boxed("rectangle", box);
    const pierced: Shape = { ...outer, kind: "polygon", parts: [...outer.parts, ...hole.parts], groups: [2] };
    expect(measure(pierced, null)).toMatchObject({ area: 1100, length: 180 });
    const both: Shape = { ...pierced, type: "MultiPolygon", groups: [1, 1] };
    expect(measure(both, null).area).toBe(1300);
  });

  it("does not depend on the direction of a ring", () => {
    const corners = [0, 0, 30, 0, 30, 40, 0, 40];
    const back = [0, 40, 30, 40, 30, 0, 0, 0];
    expect(measure(polygon("polygon", back), null)).toEqual(measure(polygon("polygon", corners), null));
  });

  it("measures a circle exactly, and an ellipse to Ramanujan's digits", () => {
    const circle = measure(boxed("ellipse", { minX: 0, minY: 0, maxX: 20, maxY: 20 }), null);
    expect(circle.area).toBeCloseTo(100 * Math.PI, 9);
    expect(circle.length).toBeCloseTo(20 * Math.PI, 9);
    const steps = 200_000;
    let perimeter = 0;
    for (let i = 0; i < steps; i += 1) {
      const turn = (2 * Math.PI * (i + 0.5)) / steps;
      perimeter += ((2 * Math.PI) / steps) * Math.hypot(15 * Math.sin(turn), 20 * Math.cos(turn));
    }
    expect(measure(boxed("ellipse", box), null).length).toBeCloseTo(perimeter, 4);
    expect(measure(boxed("ellipse", { minX: 1, minY: 1, maxX: 1, maxY: 1 }), null)).toMatchObject({
      length: 0,
      area: 0,
    });
  });

  it("gives the same anywhere on a large slide", () => {
    const shape = polygon("freehand", [0, 0, 7.25, 1.5, 9, 12, 3, 8.75]);
    const far = measure(moved(shape, 250_000, 180_000), null);
    expect(far.area).toBeCloseTo(measure(shape, null).area!, 6);
    expect(far.length).toBeCloseTo(measure(shape, null).length!, 6);
  });
});
