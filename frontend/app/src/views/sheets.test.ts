import { describe, expect, it } from "vitest";
import { FIRST_LAYOUT, PER_SHEET, gridOf, layoutOf, moved, sheetsOf } from "./sheets";

describe("PG72: the sheets of a page of views", () => {
  it.each(PER_SHEET)("have %i places, in rows and columns that suit the paper", (perSheet) => {
    for (const direction of ["portrait", "landscape"] as const) {
      const { columns, rows } = gridOf({ ...FIRST_LAYOUT, perSheet, direction });
      expect(columns * rows).toBe(perSheet);
      expect(direction === "portrait" ? rows >= columns : columns >= rows).toBe(true);
    }
  });

  it("have all items in their order, and no sheet is empty", () => {
    const items = Array.from({ length: 9 }, (_, i) => i);
    expect(sheetsOf(items, 4)).toEqual([[0, 1, 2, 3], [4, 5, 6, 7], [8]]);
    expect(sheetsOf([], 4)).toEqual([]);
  });

  it("change places by a step, and not beyond the ends", () => {
    const items = ["a", "b", "c"].map((id) => ({ id }));
    const order = (id: string, step: 1 | -1): string =>
      moved(items, id, step)
        .map((item) => item.id)
        .join("");
    expect([order("b", 1), order("b", -1), order("a", -1), order("c", 1), order("x", 1)]).toEqual([
      "acb",
      "bac",
      "abc",
      "abc",
      "abc",
    ]);
  });

  it("are laid out as at first where nothing sensible is stored", () => {
    expect(layoutOf(undefined)).toEqual(FIRST_LAYOUT);
    expect(layoutOf({ title: "Case 7", paper: "letter", direction: "up", perSheet: 5 })).toEqual({
      ...FIRST_LAYOUT,
      title: "Case 7",
      paper: "letter",
    });
  });
});
