import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testManifest } from "@wavescope/core/wire/testing";
import { type FakePage, openPage } from "../fakePage";
import type { SlideContext } from "../microscope/parts";
import { queryClient } from "../state/queries";
import { caseCommands } from "./commands";
import { slideAway, stepTo } from "./stepping";

const open = { id: "c1", title: "Breast", slides: [{ id: "he" }, { id: "er" }, { id: "pr" }] };

let page: FakePage;
beforeEach(() => {
  page = openPage("/slides/er?case=c1&session=5f");
  queryClient.clear();
  queryClient.setQueryData(["case", "c1"], open);
});
afterEach(() => vi.unstubAllGlobals());

describe("the slide some steps away", () => {
  it.each<[string, number, string | null]>([
    ["er", 1, "pr"],
    ["er", -1, "he"],
    ["he", 2, "pr"],
    ["he", -1, null],
    ["pr", 1, null],
    ["unknown", 1, null],
  ])("of %s, %i steps: %s", (id, step, expected) => {
    expect(slideAway(id, step)?.slide.id ?? null).toBe(expected);
  });

  it("is none without a case in the address, or while the case is not loaded", () => {
    openPage("/slides/er");
    expect(slideAway("er", 1)).toBeNull();
    openPage("/slides/er?case=c9");
    expect(slideAway("er", 1)).toBeNull();
  });
});

it("stepping goes to the slide in the same case and session; without a slide it stays", () => {
  stepTo({ id: "pr/1" }, "c1");
  expect(page.address).toBe("/slides/pr%2F1?session=5f&case=c1");
  stepTo(null, "c1");
  expect(page.writes).toHaveLength(1);
});

describe("the keys of a case", () => {
  const at = (id: string) => ({ manifest: testManifest({ id }) }) as SlideContext;
  const [previous, next] = caseCommands;

  it("are offered where there is a slide before or after", () => {
    const offered = (id: string): boolean[] => [previous, next].map((one) => one!.available!(at(id)));
    expect([offered("he"), offered("er"), offered("pr")]).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
  });

  it("step to it, and do nothing at the end", () => {
    next!.run(at("er"));
    expect(page.address).toBe("/slides/pr?session=5f&case=c1");
    next!.run(at("pr"));
    expect(page.writes).toHaveLength(1);
    previous!.run(at("er"));
    expect(page.address).toBe("/slides/he?session=5f&case=c1");
  });
});
