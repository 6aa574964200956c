import { expect, it, vi } from "vitest";

vi.mock("openseadragon", () => ({ default: { pixelDensityRatio: 1 } }));
const { partsOfPeople, peopleOfCells } = await import("./people");

const mask = {
  columns: 4,
  rows: 2,
  l0_width: 10,
  l0_height: 10,
  cells: Uint8Array.of(1, 1, 1, 1, 0, 0, 1, 1),
  count: 6,
};
const map = (counts: number[] | null) => ({ people: 4, reviewed: 0, columns: 2, rows: 1, counts });

it("gives each cell of the tissue the people of the larger cell that it lies in (CV13)", () => {
  expect([...peopleOfCells(mask, map([3, 1]))]).toEqual([3, 3, 1, 1, 3, 3, 1, 1]);
  expect([...peopleOfCells(mask, map(null))]).toEqual(Array(8).fill(0));
});

it("says how much of the tissue nobody saw, and half of them or more (CV13)", () => {
  expect(partsOfPeople(mask, map([0, 2]))).toEqual({ nobody: 2 / 6, half: 4 / 6 });
  expect(partsOfPeople(mask, map([1, 4]))).toEqual({ nobody: 0, half: 4 / 6 });
  expect(partsOfPeople({ ...mask, cells: new Uint8Array(8), count: 0 }, map([0, 0]))).toEqual({ nobody: 0, half: 0 });
});
