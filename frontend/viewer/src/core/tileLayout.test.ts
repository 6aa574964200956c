import { describe, expect, it } from "vitest";
import { partOfAncestor, rectOf, snapPlacement } from "./tileLayout";

const full = { width: 256, height: 256 };

describe("settle", () => {
  it("moves a level at a whole scale to whole positions, as one", () => {
    const placed = snapPlacement({ canvas_x: -100.4, canvas_y: 7.6, l0_scale: 0.25 + 1e-12 }, 2);
    expect(placed).toEqual({ canvas_x: -100, canvas_y: 8, l0_scale: 0.25 });
  });

  it("leaves other scales alone, also where a coarser level would be at a whole scale", () => {
    for (const placement of [
      { canvas_x: 0.4, canvas_y: 0.4, l0_scale: 0.7 },
      { canvas_x: 0.4, canvas_y: 0.4, l0_scale: 1.5 },
    ]) {
      expect(snapPlacement(placement, 0)).toBe(placement);
    }
  });
});

describe("placeOf", () => {
  it("lays tiles at 1:1 pixel on pixel", () => {
    const placement = snapPlacement({ canvas_x: -300.2, canvas_y: 0, l0_scale: 0.5 }, 1);
    expect(rectOf(placement, 1, 1, 0, full)).toEqual({ left: -44, top: 0, right: 212, bottom: 256, whole: true });
    expect(rectOf(placement, 1, 2, 0, { width: 3, height: 256 })).toMatchObject({
      left: 212,
      right: 215,
      whole: true,
    });
  });

  it("lets neighbours share their edge at every scale", () => {
    for (const l0_scale of [0.13, 0.5001, 0.77, 1, 1.9]) {
      const placement = { canvas_x: 3.3, canvas_y: -8.7, l0_scale };
      expect(rectOf(placement, 1, 4, 2, full).right).toBe(rectOf(placement, 1, 5, 2, full).left);
      expect(rectOf(placement, 1, 4, 2, full).bottom).toBe(rectOf(placement, 1, 4, 3, full).top);
    }
  });

  it("keeps a mark within a thousandth of a device pixel from level to level", () => {
    const placement = { canvas_x: -1234.567, canvas_y: 89.01, l0_scale: 0.613 };
    for (let level = 0; level < 6; level += 1) {
      const tile = Math.floor(30_000 / (256 * 2 ** level));
      const rect = rectOf(placement, level, tile, 0, full);
      const part = (30_000 - tile * 256 * 2 ** level) / (256 * 2 ** level);
      const mark = rect.left + part * (rect.right - rect.left);
      expect(Math.abs(mark - (placement.canvas_x + 30_000 * placement.l0_scale))).toBeLessThan(1e-3);
    }
  });

  it("is whole only where each pixel of the tile is a whole square of device pixels", () => {
    const enlarged = { canvas_x: 0, canvas_y: 0, l0_scale: 2 };
    expect(rectOf(enlarged, 0, 0, 0, full).whole).toBe(true);
    expect(rectOf({ ...enlarged, l0_scale: 0.5 }, 0, 0, 0, full).whole).toBe(false);
    expect(rectOf({ ...enlarged, canvas_x: 0.5 }, 0, 0, 0, full).whole).toBe(false);
  });
});

it("finds the part of an ancestor that shows what a tile shows", () => {
  const size = { width: 256, height: 256 };
  expect(partOfAncestor({ x: 3, y: 2, size }, 1)).toEqual({ x: 128, y: 0, width: 128, height: 128 });
  expect(partOfAncestor({ x: 3, y: 2, size: { width: 256, height: 100 } }, 2)).toEqual({
    x: 192,
    y: 128,
    width: 64,
    height: 25,
  });
});
