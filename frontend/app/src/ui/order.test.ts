import { expect, it } from "vitest";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { moved, neighbour, shownSlides } from "./order";
import { testManifest } from "@wavescope/core/wire/testing";

it.each([
  [0, 2, "bca"],
  [2, 0, "cab"],
  [1, 9, "acb"],
  [1, -1, "bac"],
  [1, 1, "abc"],
])("moves from %i to %i", (from, to, result) => {
  expect(moved(Array.from("abc"), from, to).join("")).toBe(result);
});

it("finds neighbours, and none beyond the ends or of strangers", () => {
  const list = [{ id: "a" }, { id: "b" }];
  expect(neighbour(list, "a", 1)).toBe(list[1]);
  expect([neighbour(list, "b", 1), neighbour(list, "a", -1), neighbour(list, "x", 1)]).toEqual([null, null, null]);
});

const slide = (id: string, title: string, created: string, tags: Record<string, string> = {}): SlideSummary =>
  testManifest({ id, title, created, tags, vendor: "aperio" });
const SLIDES = [
  slide("s1", "Liver b", "2026-03-01T00:00:00Z"),
  slide("s2", "Colon", "2026-01-01T00:00:00Z", { stain: "H&E" }),
  slide("s3", "liver A", "2026-02-01T00:00:00Z"),
];

it.each([
  ["", null, "s1 s2 s3"],
  ["LIVER", null, "s1 s3"],
  ["aperio h&e", null, "s2"],
  ["liver colon", null, ""],
  ["", "title", "s2 s3 s1"],
  ["liver", "oldest", "s3 s1"],
  ["", "newest", "s1 s3 s2"],
] as const)("shows for %j, sorted by %s: %s", (search, sort, ids) => {
  expect(
    shownSlides(SLIDES, { search, sort })
      .map(({ id }) => id)
      .join(" "),
  ).toBe(ids);
});
