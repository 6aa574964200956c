import { expect, it } from "vitest";
import { clampToSlide } from "./limits";

const slide = { width: 1, height: 0.5 };

it("keeps the centre of the view on the slide, whichever way it is pushed", () => {
  expect(clampToSlide(slide, { x: 0.3, y: 0.2 })).toEqual([0.3, 0.2]);
  expect(clampToSlide(slide, { x: -2, y: 0.2 })).toEqual([0, 0.2]);
  expect(clampToSlide(slide, { x: 7, y: 0.9 })).toEqual([1, 0.5]);
  expect(clampToSlide(slide, { x: 0, y: 0.5 })).toEqual([0, 0.5]);
});

it("lets a view that was led off the slide stay there while it is dragged, but not further", () => {
  const from = { x: 1.4, y: -0.2 };
  expect(clampToSlide(slide, { x: 1.3, y: -0.1 }, from)).toEqual([1.3, -0.1]);
  expect(clampToSlide(slide, { x: 1.6, y: -0.4 }, from)).toEqual([1.4, -0.2]);
});
