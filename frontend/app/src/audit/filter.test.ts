import { expect, it } from "vitest";
import { filterIn, filterQuery } from "./filter";

it("reads a filter from an address and writes it back", () => {
  const filter = { name: "Ada", action: "opened", slide: "liver.svs", since: "2026-11-22" };
  expect(filterIn("?name=Ada&action=opened&slide=liver.svs&since=2026-11-22")).toEqual(filter);
  expect(filterQuery(filter)).toEqual(filter);
  expect(filterQuery(filterIn(""))).toEqual({});
});

it.each(["yesterday", "2026-13-45", "22.11.2026"])("passes over the day %s", (since) => {
  expect(filterIn(`?since=${since}`).since).toBe("");
});
