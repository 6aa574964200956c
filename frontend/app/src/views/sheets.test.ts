import { describe, expect, it } from "vitest";
import { FIRST_LAYOUT, type Item, PER_SHEET, gridOf, layoutOf, moved, needsSheet, sheetsOf } from "./sheets";

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

  it("belong to an item alone that is too long for a place beside others", () => {
    expect(sheetsOf([1, 2, 30, 3, 40], 4, (one) => one > 9)).toEqual([[1, 2], [30], [3], [40]]);
    const text = (written: string): Item => ({ kind: "text", id: "1", caption: "", text: written });
    const table = (rows: number): Item => {
      const lines = Array.from({ length: rows }, (_, i) => [`${i}`]);
      return { kind: "count", id: "2", slide: "", link: "", caption: "", head: [""], rows: lines, notes: [] };
    };
    expect([text("short"), table(12)].some(needsSheet)).toBe(false);
    expect([text("x".repeat(601)), text("\n".repeat(12)), table(13)].every(needsSheet)).toBe(true);
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
