import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EVERYTHING, parseFilter } from "../state/listFilter";
import { openPage } from "../fakePage";
import { nameOf, textOf } from "./savedSearches";

const KEY = "wavescope.searches";

beforeEach(() => {
  openPage("/");
  vi.resetModules(); // what is stored is read once
});
afterEach(() => vi.unstubAllGlobals());

const opened = () => import("./savedSearches");

it("is one text for the same search, in whatever order its filters were chosen (PG63)", () => {
  const one = { ...EVERYTHING, search: "margin", labels: ["tag.stain:HE", "format:SVS"] };
  expect(textOf({ ...one, labels: one.labels.toReversed() })).toBe(textOf(one));
  expect(parseFilter(textOf({ ...one, sort: "-title", list: true }))).toEqual({
    ...one,
    labels: ["format:SVS", "tag.stain:HE"],
    sort: "-title",
    list: true,
  });
});

it("is named by its words and what was chosen, a case by its title", () => {
  const filter = { ...EVERYTHING, search: " margin ", labels: ["tag.stain:HE: new", "case:7", "case:8"] };
  expect(nameOf(filter, new Map([["7", "Round"]]))).toBe("“margin” · HE: new · Round · Case");
});

it("saves a search, removes it again, and keeps the latest 30 for the next visit", async () => {
  const { savedSearches, toggleSaved } = await opened();
  for (let i = 0; i < 32; i++) toggleSaved(`search=${i}`);
  toggleSaved("search=31");
  const kept = Array.from({ length: 29 }, (_, i) => `search=${30 - i}`);
  expect(savedSearches.getState()).toEqual(kept);
  vi.resetModules();
  expect((await opened()).savedSearches.getState()).toEqual(kept);
});

it.each(["{", "7", '[1,"",null,"sort=colour"]'])(
  "begins empty where what is stored is no list of searches: %s",
  async (text) => {
    localStorage.setItem(KEY, text);
    expect((await opened()).savedSearches.getState()).toEqual([]);
  },
);
