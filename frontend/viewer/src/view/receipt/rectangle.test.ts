import { expect, it } from "vitest";
import { shownRectangle } from "./rectangle";

const canvas = { width: 100, height: 60 };
const upright = { rotation: 0, flip: false };
const slide = { width: 1000, height: 800 };

it("names the pixels that lie on the canvas one to one (PF8, PF10)", () => {
  const placement = { canvas_x: -30, canvas_y: 10, l0_scale: 0.25 };
  expect(shownRectangle(canvas, placement, upright, 2, { width: 250, height: 200 })).toEqual({
    level: { x: 30, y: 0, width: 100, height: 50 },
    canvas: { x: 0, y: 10, width: 100, height: 50 },
    corner: [0, 10],
  });
});

it("has a pixel that is cut by the edge, and says where it begins (PF10)", () => {
  const placement = { canvas_x: -31, canvas_y: -62, l0_scale: 3 };
  expect(shownRectangle(canvas, placement, upright, 0, slide)).toEqual({
    level: { x: 10, y: 20, width: 34, height: 21 },
    canvas: { x: 0, y: 0, width: 100, height: 60 },
    corner: [-1, -2],
  });
});

it("ends where the slide ends", () => {
  const placement = { canvas_x: -960, canvas_y: -790, l0_scale: 1 };
  expect(shownRectangle(canvas, placement, upright, 0, slide)).toEqual({
    level: { x: 960, y: 790, width: 40, height: 10 },
    canvas: { x: 0, y: 0, width: 40, height: 10 },
    corner: [0, 0],
  });
});

it("takes the noise of divisions for whole pixels", () => {
  const placement = { canvas_x: -30.0000004, canvas_y: 9.9999996, l0_scale: 1 };
  expect(shownRectangle(canvas, placement, upright, 0, slide)).toMatchObject({
    level: { x: 30, y: 0, width: 100, height: 50 },
    canvas: { x: 0, y: 10, width: 100, height: 50 },
  });
});

it("is the box around what a turned slide shows, on the whole canvas", () => {
  const placement = { canvas_x: -400, canvas_y: -300, l0_scale: 1 };
  const quarter = shownRectangle(canvas, placement, { rotation: 90, flip: false }, 0, slide);
  expect(quarter).toMatchObject({
    level: { x: 420, y: 280, width: 60, height: 100 },
    canvas: { x: 0, y: 0, ...canvas },
  });
  const mirrored = shownRectangle(canvas, placement, { rotation: 0, flip: true }, 0, slide);
  expect(mirrored).toMatchObject({ level: { x: 400, y: 300, ...canvas }, canvas: { x: 0, y: 0, ...canvas } });
});

it("is nothing beside the slide", () => {
  const placement = { canvas_x: 100, canvas_y: 0, l0_scale: 1 };
  expect(shownRectangle(canvas, placement, upright, 0, slide)).toBeNull();
});
