import { expect, it } from "vitest";
import type { CaseSummary } from "@wavescope/core/wire/catalog/casesClient";
import { mayMove, pathTo, rowsOf } from "./tree";

const one = (id: string, parent = "", kind: CaseSummary["kind"] = "collection"): CaseSummary => ({
  id,
  parent,
  kind,
  title: id,
  revision: 1,
  slides: 0,
  below: 0,
  thumbnail: null,
  created: "",
  updated: "",
});
const CASES = [one("a"), one("b", "a"), one("case", "b", "case"), one("c")];

it("PG115: rows are below what they lie in, and only where that is open", () => {
  const shown = (open: readonly string[]) =>
    rowsOf(CASES, (id) => open.includes(id)).map(
      (row) => `${" ".repeat(row.depth)}${row.case.id}${row.inner ? "+" : ""}`,
    );
  expect(shown([])).toEqual(["a+", "c"]);
  expect(shown(["a", "b"])).toEqual(["a+", " b+", "  case", "c"]);
  expect(shown(["b"])).toEqual(["a+", "c"]);
});

it("PG115: the path leads from the outermost collection to the case", () => {
  expect(pathTo(CASES, "case").map(({ id }) => id)).toEqual(["a", "b", "case"]);
  expect(pathTo(CASES, "gone")).toEqual([]);
  expect(pathTo([one("x", "y"), one("y", "x")], "x").map(({ id }) => id)).toEqual(["y", "x"]);
});

it("PG116: a case is moved into another collection that does not lie in it", () => {
  const targets = (id: string) => ["", ...CASES.map((other) => other.id)].filter((to) => mayMove(CASES, id, to));
  expect(targets("a")).toEqual(["c"]);
  expect(targets("case")).toEqual(["", "a", "c"]);
  expect(targets("c")).toEqual(["a", "b"]);
});
