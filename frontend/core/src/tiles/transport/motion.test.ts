import { describe, expect, it } from "vitest";
import { type PlacedField, fieldAhead, rectangleOf, velocityOf } from "./motion";
import { a } from "../testing";

const placed = (x: number, at: number, change: Partial<PlacedField> = {}): PlacedField => ({
  z: 0,
  level: 1,
  rectangle: [x, 4, 4, 3],
  at,
  ...change,
});
const LEVEL = { columns: 20, rows: 20 };

describe("velocityOf", () => {
  it("is tiles a second between two fields (WI115)", () => {
    expect(velocityOf(placed(2, 0), placed(4, 500))).toEqual([4, 0]);
    expect(velocityOf(placed(4, 0), placed(2, 1)).map(Math.round)).toEqual([-22, 0]); // as if in 90 ms
  });

  it("is none at the beginning, after a pause and on another level or plane", () => {
    expect(velocityOf(null, placed(2, 0))).toEqual([0, 0]);
    expect(velocityOf(placed(2, 0), placed(4, 10_001))).toEqual([0, 0]);
    expect(velocityOf(placed(2, 0, { level: 2 }), placed(4, 100))).toEqual([0, 0]);
    expect(velocityOf(placed(2, 0, { z: 1 }), placed(4, 100))).toEqual([0, 0]);
  });
});

describe("fieldAhead", () => {
  it("is at most one field away and inside the level (WI117)", () => {
    expect(fieldAhead([4, 4, 4, 3], [0.5, 0], LEVEL)).toEqual([6, 4, 4, 3]);
    expect(fieldAhead([4, 4, 4, 3], [99, 0], LEVEL)).toEqual([8, 4, 4, 3]);
    expect(fieldAhead([4, 4, 4, 3], [0, -99], LEVEL)).toEqual([4, 1, 4, 3]);
    expect(fieldAhead([15, 4, 4, 3], [99, 0], LEVEL)).toEqual([19, 4, 1, 3]);
  });

  it("is none at rest and at the border", () => {
    expect(fieldAhead([4, 4, 4, 3], [0, 0], LEVEL)).toBeNull();
    expect(fieldAhead([0, 4, 4, 3], [-99, 0], LEVEL)).toBeNull();
  });
});

it("rectangleOf covers all tiles", () => {
  expect(rectangleOf([a(0, 1, 3, 4), a(0, 1, 5, 2)])).toEqual([3, 2, 3, 3]);
});
