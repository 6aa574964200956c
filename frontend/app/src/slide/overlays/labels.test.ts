import { describe, expect, it } from "vitest";
import type { OverlayInfo } from "@wavescope/core/wire/catalog/overlaysClient";
import { countLines, hitLines, scoreLabel } from "./labels";

const info = {
  classes: [
    { name: "Tumor", color: "FF0000", count: 5 },
    { name: "", color: "00FF00", count: 5 },
  ],
  score: { name: "Probability", least: 0, most: 1 },
} as unknown as OverlayInfo;
const mpp = { x: 0.5, y: 0.5 };

describe("what overlays say", () => {
  it("OV50: class, score and area of an object", () => {
    const hit = { kind: "shape", of: 0, score: 204, area: 400, middle: [0, 0], rings: [] } as const;
    expect(hitLines(info, hit, mpp)).toEqual(["Tumor", "Probability 0.80", "Area 100\u202fµm²"]);
    expect(hitLines({ ...info, score: null }, { ...hit, of: 1 }, null)).toEqual(["No class", "Area 400\u202fpx²"]);
  });

  it("OV50: counts of a square", () => {
    const box = { minX: 0, minY: 0, maxX: 1, maxY: 1 };
    const hit = { kind: "square", box, classes: [{ of: 0, shapes: 1234, scores: 0 }] } as const;
    expect(hitLines(info, hit, mpp)).toEqual(["Tumor: 1,234"]);
  });

  it("OV51: count, density and mean score of a region", () => {
    const classes = [
      { of: 0, shapes: 30, scores: 30 * 255 },
      { of: 1, shapes: 10, scores: 0 },
    ];
    const lines = countLines(info, { classes, area: 4_000_000, exact: true }, mpp);
    expect(lines).toEqual([
      { name: "Tumor", count: 30, density: 30, mean: 1 },
      { name: "No class", count: 10, density: 10, mean: 0 },
      { name: "Total", count: 40, density: 40, mean: 0.75 },
    ]);
    expect(countLines(info, { classes: [], area: 0, exact: true }, null)).toEqual([
      { name: "Total", count: 0, density: null, mean: null },
    ]);
  });

  it("a score has the digits of its steps", () => {
    expect(scoreLabel(0.5, { name: "", least: 0, most: 1 })).toBe("0.50");
    expect(scoreLabel(123.4, { name: "", least: 0, most: 5000 })).toBe("123");
  });
});
