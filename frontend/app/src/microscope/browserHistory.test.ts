import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeMicroscope, FakePoint } from "@wavescope/viewer/core/testing";
import { plain } from "@wavescope/viewer/light/adjustments";
import { fakeLight as light } from "@wavescope/viewer/light/testing";
import { type FakePage, openPage } from "../fakePage";
import { composeAddress, followAddress, jump, stamp } from "./browserHistory";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);
vi.mock("@wavescope/viewer/light/light", async () => (await import("@wavescope/viewer/light/testing")).lightModule);

const SLIDE = { id: "he", width: 4000, height: 3000, planes: 5, mpp: null, planeSpacingUm: null };
/** All of the slide, as it is opened. */
const START = "#x=2000&y=2000&scale=0.2";

let page: FakePage;
let microscope: FakeMicroscope;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  stop = () => undefined;
  page = openPage("/slides/he?case=c");
  microscope = new FakeMicroscope(SLIDE);
  light.setState({ adjustments: plain });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const panTo = (x: number, y: number): void => microscope.viewer.viewport.panTo(new FakePoint(x, y));

/** The user moves the view, and the store of the microscope says so. */
function move(x: number, y: number): void {
  panTo(x, y);
  microscope.state.setState({ region: microscope.reading().region });
}

describe("a jump", () => {
  it("adds a history entry; the entry before it gets the view that was left", () => {
    jump(microscope.microscope, () => panTo(0.25, 0.25));
    expect(page.writes).toEqual([
      `replace /slides/he?case=c${START}`,
      "push /slides/he?case=c#x=1000&y=1000&scale=0.2",
    ]);
  });

  it("that leads nowhere adds no entry", () => {
    jump(microscope.microscope, () => undefined);
    expect([page.length, page.address]).toEqual([1, `/slides/he?case=c${START}`]);
  });

  it("leaves the state of the entry behind as it was", () => {
    history.replaceState("typed", "", "/slides/he");
    jump(microscope.microscope, () => panTo(0.25, 0.25));
    expect(page.state).toBeNull();
    page.back();
    expect(page.state).toBe("typed");
  });
});

describe("the address of the open slide", () => {
  it("is written once, when the view rests", () => {
    stop = followAddress(microscope.microscope);
    for (const x of [0.1, 0.2, 0.3]) {
      move(x, 0.5);
      vi.advanceTimersByTime(299);
    }
    expect(page.writes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(page.writes).toEqual(["replace /slides/he?case=c#x=1200&y=2000&scale=0.2"]);
  });

  it("has the light and the plane too", () => {
    stop = followAddress(microscope.microscope);
    microscope.setPlane(2);
    light.setState({ adjustments: { ...plain, gamma: 2 } });
    vi.advanceTimersByTime(300);
    const { hash } = location;
    expect(new URLSearchParams(hash.slice(1)).get("plane")).toBe("2");
    expect(JSON.parse(new URLSearchParams(hash.slice(1)).get("light")!)).toEqual({ gamma: 2 });
  });

  it("is another one where the page shows more than this slide", () => {
    composeAddress(microscope.microscope, () => "/compare?left=he&right=er#link=off");
    stamp(microscope.microscope);
    expect(page.address).toBe("/compare?left=he&right=er#link=off");
  });
});

describe("back, forward or an edited address", () => {
  it("show the view that they ask for", () => {
    stop = followAddress(microscope.microscope);
    jump(microscope.microscope, () => panTo(0.25, 0.25));
    page.back();
    expect(microscope.viewer.viewport.getCenter()).toEqual({ x: 0.5, y: 0.5 });
    history.replaceState(null, "", "#x=400&y=800&scale=1&rotation=90&plane=3");
    page.raise("popstate");
    expect(microscope.viewer.viewport.getCenter()).toEqual({ x: 0.1, y: 0.2 });
    expect([microscope.viewer.viewport.getRotation(), microscope.plane]).toEqual([90, 3]);
    expect(microscope.reading().scale).toBeCloseTo(1);
  });

  it.each([
    ["another page", "/slides/er#x=400&y=800&scale=1"],
    ["no view", "/slides/he?case=c"],
    ["a view that makes no sense", "/slides/he#x=400&y=800&scale=0"],
  ])("move nothing where they ask for %s", (_, address) => {
    stop = followAddress(microscope.microscope);
    history.pushState(null, "", address);
    page.raise("popstate");
    expect(microscope.viewer.viewport.getCenter()).toEqual({ x: 0.5, y: 0.5 });
  });
});

describe("a page that is left", () => {
  it("notes a move that is not in the address yet", () => {
    stamp(microscope.microscope);
    stop = followAddress(microscope.microscope);
    move(0.25, 0.25);
    page.raise("pagehide");
    expect(JSON.parse(sessionStorage.getItem("wavescope.left")!)).toEqual([
      `/slides/he?case=c${START}`,
      "/slides/he?case=c#x=1000&y=1000&scale=0.2",
    ]);
  });

  it("writes no address any more, and listens to nothing", () => {
    stop = followAddress(microscope.microscope);
    move(0.25, 0.25);
    stop();
    vi.advanceTimersByTime(1000);
    move(0.3, 0.3);
    vi.advanceTimersByTime(1000);
    history.replaceState(null, "", "/slides/he#x=400&y=800&scale=1");
    page.raise("popstate");
    page.raise("pagehide");
    expect(page.writes).toEqual(["replace /slides/he#x=400&y=800&scale=1"]);
    expect(microscope.viewer.viewport.getCenter()).toEqual({ x: 0.3, y: 0.3 });
    expect(sessionStorage.getItem("wavescope.left")).toBeNull();
  });
});
