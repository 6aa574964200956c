import { expect, it } from "vitest";
import { EVERYTHING, parseFilter, queryOf, toggleLabel } from "./listFilter";

it("reads from an address what a list is narrowed down to (PG62)", () => {
  expect(parseFilter("?search=liver%20&label=planes:1&label=vendor:aperio&sort=title&fallback=1")).toEqual({
    search: "liver ",
    labels: ["planes:1", "vendor:aperio"],
    sort: "title",
    list: false,
  });
  expect(parseFilter("")).toEqual(EVERYTHING);
});

it.each(["?sort=colour", "?label=", "?label=nothing", "?label=a:", "?label=:b", `?label=a:${"b".repeat(300)}`])(
  "leaves out what no list knows: %s",
  (text) => {
    expect(parseFilter(text)).toEqual(EVERYTHING);
  },
);

it("writes it into an address, without what is not asked for", () => {
  const filter = { search: "a b", labels: ["x:1", "y:2"], sort: "oldest" } as const;
  expect(queryOf(filter)).toEqual({ search: "a b", label: ["x:1", "y:2"], sort: "oldest" });
  expect(queryOf(EVERYTHING)).toEqual({});
});

it("adds and takes away choices", () => {
  const once = toggleLabel(EVERYTHING, "planes:1");
  expect(once.labels).toEqual(["planes:1"]);
  expect(toggleLabel(once, "planes:1")).toEqual(EVERYTHING);
});
