import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseComparison } from "@wavescope/viewer/compare/address";
import { Comparison } from "@wavescope/viewer/compare/comparison";
import { FakeMicroscope, FakePoint } from "@wavescope/viewer/core/testing";
import { plain } from "@wavescope/viewer/light/adjustments";
import { fakeLight as light } from "@wavescope/viewer/light/testing";
import { type FakePage, openPage } from "../fakePage";
import { jump } from "../microscope/browserHistory";
import { followComparisonAddress } from "./useComparisonAddress";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);
vi.mock("@wavescope/viewer/light/light", async () => (await import("@wavescope/viewer/light/testing")).lightModule);

const HE = { id: "he", width: 4000, height: 3000, planes: 5, mpp: null, planeSpacingUm: null };
const LANDMARK = [
  { l0_x: 1, l0_y: 2 },
  { l0_x: 3, l0_y: 4 },
];
const SEARCH = "?slide=he&slide=er";

let page: FakePage;
let left: FakeMicroscope;
let right: FakeMicroscope;
let comparison: Comparison;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  light.setState({ adjustments: plain });
  page = openPage(`/compare${SEARCH}#link=off`);
  left = new FakeMicroscope(HE);
  right = new FakeMicroscope({ ...HE, id: "er" });
  comparison = open();
  stop = followComparisonAddress(comparison);
});
afterEach(() => {
  stop();
  comparison.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The slides as the address says. */
function open(): Comparison {
  return new Comparison([left.microscope, right.microscope], parseComparison(location.search, location.hash, [1]));
}

/** The user drags a slide, and the store of its microscope says so. */
function drag(microscope: FakeMicroscope, x: number, y: number): void {
  microscope.viewer.viewport.panTo(new FakePoint(x, y));
  microscope.viewer.frame();
  microscope.state.setState({ region: microscope.reading().region });
}

const rest = (): unknown => vi.advanceTimersByTime(300);
const hash = (): URLSearchParams => new URLSearchParams(location.hash.slice(1));
const centreOf = (microscope: FakeMicroscope): object => {
  const { x, y } = microscope.viewer.viewport.getCenter();
  return { x, y };
};

describe("the address of two slides", () => {
  it("is written once, when both views rest", () => {
    drag(left, 0.25, 0.25);
    vi.advanceTimersByTime(299);
    drag(right, 0.75, 0.25);
    vi.advanceTimersByTime(299);
    expect(page.writes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(page.writes).toHaveLength(1);
    expect([hash().get("a.x"), hash().get("b.x")]).toEqual(["1000", "3000"]);
  });

  it.each<[string, () => void, string, string]>([
    ["the divider", () => comparison.setDivider(0.25), "divider", "0.25"],
    ["how much is seen of the upper slide", () => comparison.setBlend(0.5), "blend", "0.5"],
    ["which slide is the upper one", () => comparison.swap(), "swapped", "1"],
    ["the landmarks", () => comparison.marking.load([LANDMARK]), "marks", "1,2,3,4"],
    ["the plane", () => right.setPlane(3), "b.plane", "3"],
    ["the light", () => light.setState({ adjustments: { ...plain, gamma: 2 } }), "a.light", '{"gamma":2}'],
  ])("has %s", (_, change, name, value) => {
    change();
    rest();
    expect(hash().get(name)).toBe(value);
  });

  it("has the mode beside the ids of the slides, and only while it is not the usual one", () => {
    comparison.setMode("swipe");
    rest();
    expect(location.search).toBe(`${SEARCH}&mode=swipe`);
    comparison.setMode("side");
    rest();
    expect(location.search).toBe(SEARCH);
  });

  it("opens two slides as they were: views, link and arrangement", () => {
    drag(left, 0.25, 0.25);
    comparison.link();
    comparison.setMode("swipe");
    comparison.setDivider(0.7);
    comparison.swap();
    rest();
    const before = [comparison.state.getState(), centreOf(left), centreOf(right)];
    comparison.close();
    [left, right] = [new FakeMicroscope(HE), new FakeMicroscope({ ...HE, id: "er" })];
    comparison = open();
    const state = comparison.state.getState();
    expect([state.mode, state.divider, state.swapped]).toEqual(["swipe", 0.7, true]);
    expect([centreOf(left), centreOf(right)]).toEqual(before.slice(1));
    drag(left, 0.5, 0.5);
    expect(centreOf(right)).toEqual({ x: 0.75, y: 0.75 });
  });

  it("is that of both slides also where one of them jumps", () => {
    jump(left.microscope, () => drag(left, 0.25, 0.25));
    expect(page.writes.map((write) => write.split("#")[0])).toEqual([
      `replace /compare${SEARCH}`,
      `push /compare${SEARCH}`,
    ]);
    expect([hash().get("a.x"), hash().get("b.x")]).toEqual(["1000", "2000"]);
  });
});

describe("back, forward or an edited address", () => {
  it("show both slides as they say", () => {
    jump(left.microscope, () => drag(left, 0.25, 0.25));
    page.back();
    expect(centreOf(left)).toEqual({ x: 0.5, y: 0.5 });
    history.pushState(null, "", `/compare${SEARCH}&mode=swipe#b.x=400&b.y=800&b.scale=0.2&link=off`);
    page.raise("popstate");
    expect([centreOf(left), centreOf(right)]).toEqual([
      { x: 0.5, y: 0.5 },
      { x: 0.1, y: 0.2 },
    ]);
    expect(comparison.state.getState().mode).toBe("swipe");
  });

  it("that lead to another page change nothing", () => {
    const before = comparison.state.getState();
    history.pushState(null, "", `/slides/he${SEARCH}&mode=swipe#a.x=400&a.y=800&a.scale=1`);
    page.raise("popstate");
    expect(comparison.state.getState()).toBe(before);
    expect(centreOf(left)).toEqual({ x: 0.5, y: 0.5 });
  });
});

it("nothing is written once the page is left, also not what waited", () => {
  drag(left, 0.25, 0.25);
  stop();
  rest();
  comparison.setDivider(0.1);
  light.setState({ adjustments: { ...plain, gamma: 2 } });
  rest();
  expect(page.writes).toEqual([]);
});
