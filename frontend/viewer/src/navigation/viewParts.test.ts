import { expect, it } from "vitest";
import { viewParts } from "./viewParts";

const slide = { width: 400, height: 200 };
/** Tissue in the left half. */
const mask = {
  columns: 4,
  rows: 2,
  l0_width: 100,
  l0_height: 100,
  cells: Uint8Array.of(1, 1, 0, 0, 1, 1, 0, 0),
  count: 4,
};
const field = (l0_x: number, l0_y: number, l0_width: number, l0_height: number, rotation = 0, flip = false) => ({
  region: { l0_x, l0_y, l0_width, l0_height },
  rotation,
  flip,
});

it("tells the part of the slide, the tissue and no side in a view within the slide", () => {
  expect(viewParts(slide, field(100, 50, 200, 100), mask)).toEqual({ slide: 0.25, tissue: 0.5, sides: [] });
});

it("tells of a view that is smaller than a cell", () => {
  expect(viewParts(slide, field(10, 10, 4, 4), mask).tissue).toBe(1);
  expect(viewParts(slide, field(310, 10, 4, 4), mask).tissue).toBe(0);
});

it("tells the sides that lie inside a view beyond the slide", () => {
  expect(viewParts(slide, field(-100, -50, 200, 100), mask)).toEqual({
    slide: 1 / 16,
    tissue: 0.25,
    sides: ["left", "top"],
  });
  expect(viewParts(slide, field(300, 150, 200, 100), null)).toEqual({
    slide: 1 / 16,
    tissue: null,
    sides: ["right", "bottom"],
  });
});

it("follows the turn of the slide", () => {
  const upright = field(180, -100, 40, 400);
  expect(viewParts(slide, upright, mask).sides).toEqual(["top", "bottom"]);
  expect(viewParts(slide, { ...upright, rotation: 90 }, mask)).toEqual({ slide: 0.2, tissue: 0.5, sides: [] });
});
