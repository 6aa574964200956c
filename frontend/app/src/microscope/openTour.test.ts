import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StoredTour, Waypoint } from "@wavescope/core/wire/catalog/toursClient";
import { testManifest } from "@wavescope/core/wire/testing";
import { type FakePage, openPage } from "../fakePage";
import { queryClient } from "../state/queries";
import { draftTour, goToStep, cachedTour, cacheTour, leaveTour, slideOf, stepAway } from "./openTour";

const waypoint = (id: string, slide: string | null): Waypoint => ({
  id,
  title: id,
  text: "",
  slide,
  view: {},
  annotations: [],
  marks: [],
});
const kept: StoredTour = {
  id: "t1",
  slideId: "he",
  caseId: null,
  revision: 1,
  tour: { title: "Duct", text: "", waypoints: [waypoint("a", null), waypoint("b", "er"), waypoint("c", null)] },
};
const he = testManifest({ id: "he" });

let page: FakePage;
beforeEach(() => {
  page = openPage("/slides/he?tour=t1&step=1&case=c1");
  queryClient.clear();
  cacheTour(kept);
});
afterEach(() => vi.unstubAllGlobals());

describe("the tour that is open", () => {
  it("is held until it is drafted, and a draft of an unknown one changes nothing", () => {
    expect(cachedTour("t1")).toBe(kept);
    draftTour("t1", { ...kept.tour, title: "New" });
    draftTour("t2", kept.tour);
    expect([cachedTour("t1")?.tour.title, cachedTour("t1")?.revision, cachedTour("t2")]).toEqual(["New", 1, undefined]);
  });

  it("TO4: a waypoint lies in its own slide, or in the tour's", () => {
    const [first, second] = kept.tour.waypoints;
    expect([slideOf(kept, first), slideOf(kept, second), slideOf(kept, undefined)]).toEqual(["he", "er", "he"]);
    expect(slideOf({ ...kept, slideId: null }, first)).toBeNull();
  });
});

describe("going to a waypoint", () => {
  it("of this slide replaces the entry of the history; of another slide makes one", () => {
    goToStep(kept, 2, he);
    goToStep(kept, 1, he);
    expect(page.writes).toEqual([
      "replace /slides/he?case=c1&tour=t1&step=2",
      "push /slides/er?case=c1&tour=t1&step=1",
    ]);
  });

  it("of a case's tour without a slide stays on the slide that is open", () => {
    cacheTour({ ...kept, slideId: null });
    goToStep(kept, 0, testManifest({ id: "pr" }));
    expect(page.writes).toEqual(["replace /slides/pr?case=c1&tour=t1&step=0"]);
  });

  it("does nothing for a tour that is not held", () => {
    goToStep({ id: "t9" }, 0, he);
    expect(page.writes).toEqual([]);
  });
});

describe("steps away", () => {
  it.each<[string, number, number | null]>([
    ["?tour=t1&step=1", 1, 2],
    ["?tour=t1&step=1", -1, 0],
    ["?tour=t1&step=2", 1, null],
    ["?tour=t1&step=0", -1, null],
    ["?tour=t1", 1, 1],
    ["?tour=t1&step=1.5", 1, 1],
    ["?tour=t1&step=-3", 1, 1],
    ["?tour=t1&step=x", 2, 2],
    ["?tour=t9&step=1", 1, null],
    ["", 1, null],
  ])("from %j, %i: %s", (search, by, step) => {
    openPage(`/slides/he${search}`);
    expect(stepAway(by)?.step ?? null).toBe(step);
  });
});

it("leaving keeps the case and the entry of the history", () => {
  leaveTour(he);
  expect(page.writes).toEqual(["replace /slides/he?case=c1"]);
});
