import { expect, it } from "vitest";
import { moved, neighbour } from "./order";

it.each([
  [0, 2, "bca"],
  [2, 0, "cab"],
  [1, 9, "acb"],
  [1, -1, "bac"],
  [1, 1, "abc"],
])("moves from %i to %i", (from, to, result) => {
  expect(moved([..."abc"], from, to).join("")).toBe(result);
});

it("finds neighbours, and none beyond the ends or of strangers", () => {
  const list = [{ id: "a" }, { id: "b" }];
  expect(neighbour(list, "a", 1)).toBe(list[1]);
  expect([neighbour(list, "b", 1), neighbour(list, "a", -1), neighbour(list, "x", 1)]).toEqual([null, null, null]);
});
