import { expect, it } from "vitest";
import { parseDestination } from "./goTo";

const ruler = { mpp: { x: 0.5, y: 0.25 }, own: 20 };

it.each([
  ["12000, 8000", 12000, 8000, null],
  ["12000 8000", 12000, 8000, null],
  ["x=12000 y=8000", 12000, 8000, null],
  ["12000;8000 px", 12000, 8000, null],
  ["100, 50 µm", 200, 200, null],
  ["100um 50um", 200, 200, null],
  ["1.5 mm, 2 mm", 3000, 8000, null],
  ["12000, 8000 @ 10x", 12000, 8000, 0.5],
  ["5x 10 20", 10, 20, 0.25],
  ["10 20 1:4", 10, 20, 0.25],
])("%j is a place", (text, l0_x, l0_y, scale) => {
  expect(parseDestination(text, ruler)).toEqual({ centre: { l0_x, l0_y }, scale });
});

it.each([
  ["20x", 1],
  ["1.25×", 0.0625],
  ["1:1", 1],
])("%j is a magnification", (text, scale) => {
  expect(parseDestination(text, ruler)).toEqual({ centre: null, scale });
});

it.each(["", "here", "12000", "1,2,3", "0x", "1:0", "a, b", "12 34 inch"])("%j is neither", (text) => {
  expect(parseDestination(text, ruler)).toBeNull();
});

it("does not guess what is not known of the slide", () => {
  const nothing = { mpp: null, own: null };
  expect(parseDestination("20x", nothing)).toBeNull();
  expect(parseDestination("100, 50 µm", nothing)).toBeNull();
  expect(parseDestination("100, 50", nothing)).toEqual({ centre: { l0_x: 100, l0_y: 50 }, scale: null });
});
