import { expect, it } from "vitest";
import { changesOf, rowsOf } from "./tags";

it("offers the suggested tags beside the tags there are", () => {
  expect(rowsOf({ stain: "PAS", block: "A1" }).map(({ key }) => key)).toEqual(["stain", "block", "organ", "diagnosis"]);
});

it("tells only what has changed", () => {
  const rows = [
    { key: "stain", value: " H&E " },
    { key: "organ", value: "" },
    { key: "block", value: "A1" },
    { key: " ", value: "x" },
  ];
  expect(changesOf({ stain: "PAS", block: "A1", site: "3" }, rows)).toEqual({ site: null, stain: "H&E" });
  expect(changesOf({ block: "A1" }, [{ key: "block", value: "A1" }])).toEqual({});
});
