import { describe, expect, it } from "vitest";
import { type Kind, boxOf, boxed, line, point, polygon } from "@wavescope/core/geometry/shape";
import { type Draft, type DrawEvent, draw } from "./drawing";
import { handlesOf, reshaped, withCorner, withoutCorner } from "./editing";

type Step = readonly [DrawEvent["type"], number?, number?];

function perform(kind: Kind, steps: readonly Step[], even = false) {
  let draft: Draft | null = null;
  const shapes = [];
  for (const [type, x = 0, y = 0] of steps) {
    const drawn = draw(kind, draft, { type, x, y, reach: 8, square: even });
    draft = drawn.draft;
    if (drawn.shape) shapes.push(drawn.shape);
  }
  return { draft, shapes };
}

describe("drawing", () => {
  it.each([
    [
      "rectangle",
      [
        ["press", 90, 80],
        ["drag", 50, 50],
        ["release", 10, 20],
      ],
      boxed("rectangle", { minX: 10, minY: 20, maxX: 90, maxY: 80 }),
    ],
    [
      "line",
      [
        ["press", 0, 0],
        ["drag", 20, 20],
        ["release", 30, 40],
      ],
      line("line", [0, 0, 30, 40]),
    ],
    [
      "arrow",
      [
        ["press", 0, 0],
        ["release", 30, 40],
      ],
      line("arrow", [0, 0, 30, 40]),
    ],
    ["point", [["click", 3, 4]], point("point", 3, 4)],
    [
      "angle",
      [
        ["click", 50, 0],
        ["hover", 3, 3],
        ["click", 0, 0],
        ["click", 0, 50],
      ],
      line("angle", [50, 0, 0, 0, 0, 50]),
    ],
    [
      "polygon",
      [
        ["click", 0, 0],
        ["click", 50, 0],
        ["click", 50, 50],
        ["click", 2, 2],
      ],
      polygon("polygon", [0, 0, 50, 0, 50, 50]),
    ],
    [
      "polygon",
      [["click", 0, 0], ["click", 50, 0], ["click", 50, 50], ["click", 51, 50], ["finish"]],
      polygon("polygon", [0, 0, 50, 0, 50, 50]),
    ],
    [
      "polygon",
      [
        ["click", 0, 0],
        ["click", 50, 0],
        ["place", 400, 300],
        ["click", 50, 50],
        ["place", 400, 300],
      ],
      polygon("polygon", [0, 0, 50, 0, 50, 50]),
    ],
    [
      "polygon",
      [["place", 0, 0], ["place", 50, 0], ["place", 50, 50], ["place", 10, 40], ["finish"]],
      polygon("polygon", [0, 0, 50, 0, 50, 50, 10, 40]),
    ],
    [
      "rectangle",
      [
        ["place", 0, 0],
        ["place", 40, 30],
      ],
      boxed("rectangle", { minX: 0, minY: 0, maxX: 40, maxY: 30 }),
    ],
    [
      "freehand",
      [["place", 0, 0], ["place", 40, 0], ["place", 40, 40], ["finish"]],
      polygon("freehand", [0, 0, 40, 0, 40, 40]),
    ],
  ] as [Kind, Step[], object][])("makes a %s", (kind, steps, shape) => {
    expect(perform(kind, steps)).toEqual({ draft: null, shapes: [shape] });
  });

  it("makes squares with Shift", () => {
    const { shapes } = perform(
      "ellipse",
      [
        ["press", 0, 0],
        ["release", -20, 50],
      ],
      true,
    );
    expect(boxOf(shapes[0]!)).toEqual({ minX: -50, minY: 0, maxX: 0, maxY: 50 });
  });

  it("smooths a freehand line", () => {
    const around = Array.from(
      { length: 200 },
      (_, i): Step => ["drag", 500 + 300 * Math.cos((i / 200) * 6.28), 500 + 300 * Math.sin((i / 200) * 6.28)],
    );
    const { shapes } = perform("freehand", [["press", 800, 500], ...around, ["release", 800, 499]]);
    expect(shapes[0]!.parts[0]!.length / 2).toBeLessThan(100);
    expect(boxOf(shapes[0]!).maxX).toBeGreaterThan(795);
  });

  it("takes slips of the hand for nothing", () => {
    for (const kind of ["rectangle", "ellipse", "line", "arrow", "freehand"] as const) {
      expect(
        perform(kind, [
          ["press", 5, 5],
          ["drag", 6, 6],
          ["release", 6, 6],
        ]),
      ).toEqual({ draft: null, shapes: [] });
    }
    expect(perform("polygon", [["click", 0, 0], ["click", 50, 0], ["finish"]]).shapes).toEqual([]);
  });

  it("goes back by a corner, and leaves", () => {
    expect(perform("polygon", [["click", 0, 0], ["click", 50, 0], ["back"]]).draft?.coordinates).toEqual([0, 0]);
    expect(perform("polygon", [["click", 0, 0], ["back"]]).draft).toBeNull();
    expect(perform("angle", [["click", 0, 0], ["cancel"]]).draft).toBeNull();
  });
});

describe("reshaping", () => {
  const square = boxed("rectangle", { minX: 0, minY: 0, maxX: 10, maxY: 10 });
  const triangle = polygon("polygon", [0, 0, 10, 0, 10, 10]);

  it("drags edges and corners of boxes, over each other too, never flat", () => {
    const [corner, edge] = [handlesOf(square)[0]!, handlesOf(square)[3]!];
    expect(boxOf(reshaped(square, corner, 20, 25))).toEqual({ minX: 10, minY: 10, maxX: 20, maxY: 25 });
    expect(boxOf(reshaped(square, edge, -5, 999))).toEqual({ minX: -5, minY: 0, maxX: 10, maxY: 10 });
    expect(reshaped(square, corner, 10, 3)).toBe(square);
  });

  it("keeps rings closed when their first corner is dragged", () => {
    expect(reshaped(triangle, handlesOf(triangle)[0]!, -3, 1).parts[0]).toEqual([-3, 1, 10, 0, 10, 10, -3, 1]);
  });

  it("adds corners on edges and takes them away, down to a triangle", () => {
    const more = withCorner(triangle, 5, 0.2)!;
    expect(more.parts[0]).toEqual([0, 0, 5, 0.2, 10, 0, 10, 10, 0, 0]);
    expect(withoutCorner(more, handlesOf(more)[1]!)).toEqual(triangle);
    expect(withoutCorner(more, handlesOf(more)[0]!)?.parts[0]).toEqual([5, 0.2, 10, 0, 10, 10, 5, 0.2]);
    expect(withoutCorner(triangle, handlesOf(triangle)[1]!)).toBeNull();
    expect([
      withCorner(square, 5, 0),
      withCorner(line("arrow", [0, 0, 9, 9]), 5, 5),
      withCorner(point("point", 0, 0), 0, 0),
    ]).toEqual([null, null, null]);
  });
});
