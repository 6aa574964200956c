import { describe, expect, it } from "vitest";
import { line, point } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { MAX_ROWS, measurementTable } from "./measurements";

const of = (shape: Content["shape"], more: Partial<Content> = {}): Content => ({
  shape,
  z: 0,
  name: "",
  text: "",
  class: "",
  color: null,
  foreign: {},
  ...more,
});
const mpp = { x: 0.5, y: 0.5 };
const length = of(line("line", [0, 0, 300, 400]), { name: "Depth", class: "Tumour" });

describe("PG74: a table of measurements", () => {
  it("has each annotation that measures something, numbered", () => {
    const { head, rows, notes } = measurementTable([length, of(point("point", 1, 2)), of(length.shape)], mpp);
    expect(head).toHaveLength(3);
    expect(rows).toEqual([
      ["1 Depth", "Tumour", "250\u202fµm"],
      ["2 Length", "", "250\u202fµm"],
    ]);
    expect(notes).toEqual([]);
  });

  it("ends after a number of rows and says how many are left out", () => {
    const { rows, notes } = measurementTable(Array<Content>(MAX_ROWS + 2).fill(length), mpp);
    expect([rows.length, notes]).toEqual([MAX_ROWS, ["2 more measurements"]]);
  });
});
