import { describe, expect, it } from "vitest";
import { type Style, colorAt, colorOf, cssColor, isShown, mixed, packed, tablesOf } from "./style";

const style: Style = {
  hidden: new Set([1]),
  colors: ["FF8000", "00FF00"],
  byScore: false,
  map: "viridis",
  from: 50,
  to: 150,
  least: 10,
  most: 200,
  fill: 0.2,
};

describe("colours of an overlay", () => {
  it("OV45: are those of classes", () => {
    const tables = tablesOf(style);
    expect(cssColor(colorOf(tables, 0, 77))).toBe("rgb(255 128 0)");
    expect(cssColor(colorOf(tables, 200, 77))).toBe("rgb(128 128 128)");
  });

  it("OV47: or of scores, from the least to the most of the map", () => {
    const tables = tablesOf({ ...style, byScore: true });
    expect([0, 50, 100, 150, 255].map((score) => cssColor(colorOf(tables, 0, score)))).toEqual([
      "rgb(68 1 84)",
      "rgb(68 1 84)",
      "rgb(33 145 140)",
      "rgb(253 231 37)",
      "rgb(253 231 37)",
    ]);
    const step = tablesOf({ ...style, byScore: true, from: 80, to: 80 });
    expect(colorOf(step, 0, 79)).toBe(colorAt("viridis", 0));
    expect(colorOf(step, 0, 80)).toBe(colorAt("viridis", 1));
  });

  it("OV46: hidden classes and scores beyond the threshold are not shown", () => {
    const tables = tablesOf(style);
    expect([9, 10, 200, 201].map((score) => isShown(tables, 0, score))).toEqual([false, true, true, false]);
    expect(isShown(tables, 1, 100)).toBe(false);
  });

  it("OV43: of a square are the mean of its classes", () => {
    expect(cssColor(mixed([packed("FF0000"), packed("0000FF")], [3, 1]))).toBe("rgb(191 0 64)");
    expect(mixed([], [])).toBe(0);
  });
});
