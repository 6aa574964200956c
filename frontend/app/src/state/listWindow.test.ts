import { expect, it } from "vitest";
import { layoutOf, pagesOf, stepTo, visible } from "./listWindow";

const LENGTHS = { card: 260, gap: 16, text: 82, row: 60 };

it("puts as many cards into a row as fit, at least one", () => {
  expect([1380, 552, 536, 535, 350, 100].map((width) => layoutOf(width, false, LENGTHS).columns)).toEqual([
    5, 2, 2, 1, 1, 1,
  ]);
  expect(layoutOf(1380, true, LENGTHS).columns).toBe(1);
});

it("draws the rows of the screen and a margin, never beyond the list, and a short list whole (PG60)", () => {
  const layout = { columns: 4, row: 300, gap: 16 };
  expect(visible(layout, 20_000, 0, 900)).toEqual({ first: 0, end: 20 });
  expect(visible(layout, 20_000, 30_000, 30_900)).toEqual({ first: 392, end: 420 });
  expect(visible(layout, 61, 0, 900)).toEqual({ first: 0, end: 20 });
  expect(visible(layout, 61, 90_000, 90_900)).toEqual({ first: 60, end: 61 });
  expect([0, 60].map((total) => visible(layout, total, 90_000, 90_900))).toEqual([
    { first: 0, end: 0 },
    { first: 0, end: 60 },
  ]);
});

it("asks for the pages that the rows are of", () => {
  expect(pagesOf({ first: 0, end: 20 }, 60)).toEqual([1]);
  expect(pagesOf({ first: 40, end: 61 }, 60)).toEqual([1, 2]);
  expect(pagesOf({ first: 19_960, end: 20_000 }, 60)).toEqual([333, 334]);
  expect(pagesOf({ first: 0, end: 0 }, 60)).toEqual([1]);
});

it("goes along rows and columns with the keys and stays within the list (PG61)", () => {
  const to = (key: string, from: number) => stepTo(key, from, 10, 4);
  expect([to("ArrowRight", 3), to("ArrowDown", 3), to("ArrowUp", 3), to("ArrowDown", 8)]).toEqual([4, 7, 3, 8]);
  expect([to("Home", 5), to("End", 5), to("ArrowLeft", 0), to("x", 5)]).toEqual([0, 9, 0, null]);
});

it("an arrow leads to the slide on its side, also where the list is read from right to left (LG7)", () => {
  expect(["ArrowLeft", "ArrowRight"].map((key) => stepTo(key, 5, 20, 4, -1))).toEqual([6, 4]);
});
