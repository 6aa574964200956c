import { describe, expect, it } from "vitest";
import { after, inverse, matrixOf, onCanvas } from "./matrix";
import { isExact, isNear, onRaster, viewTransform, planRaster, velocityOf } from "./rasterPlan";

const VIEW = { width: 1000, height: 600 };
const at = (x: number, y: number, scale = 0.5, degrees = 0) =>
  matrixOf({ canvas_x: x, canvas_y: y, l0_scale: scale }, VIEW.width, VIEW.height, degrees, false);
const still = [0, 0] as const;

describe("planRaster", () => {
  it("reaches beyond the view on all sides, and lies ahead of a view that moves", () => {
    const plan = planRaster(at(0, 0), VIEW, still);
    expect(plan).toMatchObject({ left: -300, top: -180, width: 1600, height: 960 });
    const moving = planRaster(at(0, 0), VIEW, [-30, 0]); // the slide goes left, so the view goes right
    expect([moving.left, moving.width, moving.top]).toEqual([-60, 1600, -180]);
  });

  it("takes less beyond a large view, so that memory stays small", () => {
    const plan = planRaster(at(0, 0), { width: 3840, height: 2160 }, still);
    expect(plan.width * plan.height).toBeLessThan(12_100_000);
    expect(plan.left).toBeLessThan(0);
    expect(planRaster(at(0, 0), { width: 7680, height: 4320 }, still)).toMatchObject({ left: 0, top: 0, width: 7680 });
  });

  it("takes only a steady shift for motion", () => {
    expect(velocityOf(at(0, 0), at(-30, 7), VIEW)).toEqual([-30, 7]);
    expect(
      [at(-400, 0), at(0, 90), at(-30, 7, 0.6), at(-30, 7, 0.5, 3)].map((now) => velocityOf(at(0, 0), now, VIEW)),
    ).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it("says where level 0 lies in the picture", () => {
    const plan = planRaster(at(40, 20), VIEW, still);
    const [x, y] = onCanvas(at(40, 20), 100, 100);
    expect(onCanvas(onRaster(plan), 100, 100)).toEqual([x + 300, y + 180]);
  });
});

describe("what a picture serves for", () => {
  const plan = planRaster(at(0, 0), VIEW, still);

  it("is exact after a shift by whole pixels within its margin, and nowhere else", () => {
    expect([at(0, 0), at(300, 0), at(-300, 180)].map((matrix) => isExact(plan, matrix, VIEW))).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [at(301, 0), at(0.5, 0), at(0, 0, 0.51), at(0, 0, 0.5, 1)].map((matrix) => isExact(plan, matrix, VIEW)),
    ).toEqual([false, false, false, false]);
  });

  it("is good enough while moving until little margin is left or it is stretched too far", () => {
    expect([at(200.4, 0), at(0, 0, 0.6), at(0, 0, 0.5, 4)].map((matrix) => isNear(plan, matrix, VIEW))).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [at(250, 0), at(0, 0, 0.8), at(0, 0, 0.3), at(0, 0, 0.5, 90)].map((matrix) => isNear(plan, matrix, VIEW)),
    ).toEqual([false, false, false, false]);
  });

  it("is moved to where each place of the slide would have been drawn", () => {
    for (const to of [at(70, -30), at(10, 20, 0.7), at(10, 20, 0.7, 33)]) {
      const moved = viewTransform(plan, to);
      const [x, y] = onCanvas(moved, ...onCanvas(plan.matrix, 321, 123));
      const [wantedX, wantedY] = onCanvas(to, 321, 123);
      expect([x, y].map((value) => value.toFixed(6))).toEqual([wantedX, wantedY].map((value) => value.toFixed(6)));
    }
  });
});

describe("matrices", () => {
  it("come after each other, and are taken back by their inverse", () => {
    const both = after(at(3, 4, 2, 30), inverse(at(3, 4, 2, 30)));
    expect(onCanvas(both, 12, 34).map((value) => value.toFixed(6))).toEqual(["12.000000", "34.000000"]);
  });
});
