import { expect, it } from "vitest";
import { byLine, byValue, onSlide, possibleScale, umPerPixel, withPoint } from "./length";

const spot = (l0_x: number, l0_y: number) => ({ l0_x, l0_y });

it("takes two ends, and begins another line with the third", () => {
  const one = withPoint([], spot(1, 2));
  const both = withPoint(one, spot(3, 4));
  expect(both).toEqual([spot(1, 2), spot(3, 4)]);
  expect(withPoint(both, spot(5, 6))).toEqual([spot(5, 6)]);
});

it("keeps the ends on the slide, to a hundredth of a pixel", () => {
  const slide = { width: 100, height: 50 };
  expect(onSlide(spot(-3, 70), slide)).toEqual(spot(0, 50));
  expect(onSlide(spot(12.3456, 7.001), slide)).toEqual(spot(12.35, 7));
});

it("makes a scale of a length in micrometres or millimetres", () => {
  const ends = [spot(100, 100), spot(400, 500)];
  expect(umPerPixel(byLine(ends, 250, "µm")!)).toBe(0.5);
  expect(umPerPixel(byLine(ends, 1, "mm")!)).toBe(2);
  expect(umPerPixel(byValue(0.25)!)).toBe(0.25);
});

it("takes no scale that a slide cannot have", () => {
  expect([0.001, 0.25, 10_000].map(possibleScale)).toEqual([true, true, true]);
  expect([0.0009, 10_001, Infinity, NaN].map(possibleScale)).toEqual([false, false, false, false]);
});

it("makes none of what is missing, too short or no length", () => {
  const ends = [spot(100, 100), spot(400, 500)];
  expect([
    byLine(ends.slice(1), 250, "µm"),
    byLine(ends, null, "µm"),
    byLine(ends, 0, "µm"),
    byLine([spot(0, 0), spot(5, 5)], 9, "µm"),
  ]).toEqual([null, null, null, null]);
  expect([byValue(null), byValue(0), byValue(-1)]).toEqual([null, null, null]);
});
