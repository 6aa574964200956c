import { describe, expect, it } from "vitest";
import { boxed, line, point } from "@wavescope/core/geometry/shape";
import { areaLabel, lengthLabel, measureLabels, shortened } from "./labels";

describe("lengthLabel", () => {
  it.each([
    [0, "0\u202fµm"],
    [0.12345, "0.1235\u202fµm"],
    [12.5, "12.5\u202fµm"],
    [999.94, "999.9\u202fµm"],
    [1000, "1\u202fmm"],
    [22_613.4, "22.61\u202fmm"],
    [2_500_000, "2,500\u202fmm"],
  ])("%f micrometres: %s", (length, label) => {
    expect(lengthLabel(length, true)).toBe(label);
  });

  it("counts pixels where their size is not known", () => {
    expect([lengthLabel(12.345, false), lengthLabel(123_456.7, false)]).toEqual(["12.35\u202fpx", "123,457\u202fpx"]);
  });
});

describe("areaLabel", () => {
  it.each([
    [99_999, "99,999\u202fµm²"],
    [100_000, "0.1\u202fmm²"],
    [1_234_567, "1.235\u202fmm²"],
  ])("%i square micrometres: %s", (area, label) => {
    expect(areaLabel(area, true)).toBe(label);
  });

  it("counts square pixels where their size is not known", () => {
    expect(areaLabel(1_234_567, false)).toBe("1,234,567\u202fpx²");
  });
});

describe("measureLabels", () => {
  it("names each measure that a shape has, area first", () => {
    const square = boxed("rectangle", { minX: 0, minY: 0, maxX: 100, maxY: 100 });
    expect(measureLabels(square, { x: 0.5, y: 0.5 })).toEqual(["2,500\u202fµm²", "200\u202fµm"]);
    expect(measureLabels(square, null)).toEqual(["10,000\u202fpx²", "400\u202fpx"]);
    expect(measureLabels(line("angle", [1, 0, 0, 0, 1, 1]), null)).toEqual(["45.0°"]);
    expect(measureLabels(point("point", 1, 1), null)).toEqual([]);
  });
});

it("AN56: a name is cut after 32 characters, and a text on the slide after 120; both end in an ellipsis then", () => {
  expect(shortened("Invasive front", "polygon")).toBe("Invasive front");
  expect(shortened("a".repeat(32), "polygon")).toBe("a".repeat(32));
  expect(shortened("a".repeat(33), "polygon")).toBe(`${"a".repeat(31)}…`);
  expect(shortened(`${"a".repeat(30)} b c`, "line")).toBe(`${"a".repeat(30)}…`);
  expect(shortened("🔬".repeat(40), "point")).toBe(`${"🔬".repeat(31)}…`);
  expect(shortened("a".repeat(120), "text")).toHaveLength(120);
  expect(shortened("a".repeat(121), "text")).toBe(`${"a".repeat(119)}…`);
});
