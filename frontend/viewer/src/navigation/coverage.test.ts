import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Microscope } from "../core/microscope";
import { stub } from "@wavescope/core/stub";
import { coverWith } from "./freePart";
import { coverageOf, coverageText, readCoverage, trackCoverage } from "./coverage";

const region = (l0_x: number) => ({ l0_x, l0_y: 0, l0_width: 100, l0_height: 50 });

function open() {
  const state = createStore(() => ({ region: region(0), rotation: 0, scale: 0.5, fidelity: "sharp", other: 0 }));
  const microscope = stub<Microscope>({ state, pyramid: { width: 1000, height: 600 } });
  const views = () => coverageOf(microscope).getState().views;
  const fields = () => views().map(({ l0_x, rotation }) => [l0_x, rotation]);
  return { state, microscope, views, fields };
}

let listeners: (() => void)[] = [];
let page: {
  hidden: boolean;
  addEventListener: (_: string, listener: () => void) => void;
  removeEventListener: () => void;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  listeners = [];
  page = {
    hidden: false,
    addEventListener: (_, listener) => listeners.push(listener),
    removeEventListener: () => undefined,
  };
  vi.stubGlobal("document", page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the views of a slide (CV2, CV3)", () => {
  it("hold a field that was rested on for 400 ms, not what was passed on the way", () => {
    const { state, microscope, fields } = open();
    trackCoverage(microscope);
    for (const x of [100, 200, 300]) {
      state.setState({ region: region(x) });
      vi.advanceTimersByTime(399);
    }
    expect(fields()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fields()).toEqual([[300, 0]]);
  });

  it("hold the part of a field that no panel covers", () => {
    const { state, microscope, views } = open();
    const element = { clientWidth: 1000, clientHeight: 500 };
    Object.assign(microscope, { viewer: { element, viewport: { getFlip: () => false } } });
    coverWith(microscope, { offsetWidth: 200, offsetHeight: 500 } as HTMLElement);
    trackCoverage(microscope);
    state.setState({ region: region(10) });
    vi.advanceTimersByTime(400);
    expect(views()).toMatchObject([{ l0_x: 10, l0_y: 0, l0_width: 80, l0_height: 50 }]);
    coverWith(microscope, null);
  });

  it("hold the rotation with which it was seen", () => {
    const { state, microscope, fields } = open();
    trackCoverage(microscope);
    state.setState({ region: region(10), rotation: 90 });
    vi.advanceTimersByTime(400);
    expect(fields()).toEqual([[10, 90]]);
  });

  it("do not wait longer because something else of the state changes", () => {
    const { state, microscope, fields } = open();
    trackCoverage(microscope);
    state.setState({ region: region(10) });
    vi.advanceTimersByTime(300);
    state.setState({ other: 1 });
    vi.advanceTimersByTime(100);
    expect(fields()).toHaveLength(1);
  });

  it("leave out the whole slide, with which it opens, however it is turned", () => {
    const { state, microscope, fields } = open();
    trackCoverage(microscope);
    for (const [l0_x, l0_y, l0_width, l0_height, rotation] of [
      [-100, 0, 1200, 600, 0],
      [10, 10, 980, 580, 0],
      [0, -300, 1000, 1200, 90],
      [0, -300, 1000, 1200, 45],
      [-50, -150, 1100, 1100, 270],
    ]) {
      state.setState({ region: { l0_x: l0_x!, l0_y: l0_y!, l0_width: l0_width!, l0_height: l0_height! }, rotation });
      vi.advanceTimersByTime(500);
    }
    expect(fields()).toEqual([[0, 45]]); // its corners are out of view
  });

  it("hold no field that the way back to the whole slide passed", () => {
    const { state, microscope, fields } = open();
    trackCoverage(microscope);
    state.setState({ region: region(100) });
    vi.advanceTimersByTime(300);
    state.setState({ region: { l0_x: 0, l0_y: 0, l0_width: 1000, l0_height: 600 } });
    vi.advanceTimersByTime(1000);
    expect(fields()).toEqual([]);
  });

  it("get nothing after the following has stopped", () => {
    const { state, microscope, fields } = open();
    const stop = trackCoverage(microscope);
    state.setState({ region: region(10) });
    stop();
    vi.advanceTimersByTime(1000);
    state.setState({ region: region(20) });
    vi.advanceTimersByTime(1000);
    expect(fields()).toEqual([]);
  });

  it("belong to one open slide", () => {
    const [one, other] = [open(), open()];
    expect(coverageOf(one.microscope)).toBe(coverageOf(one.microscope));
    expect(coverageOf(one.microscope)).not.toBe(coverageOf(other.microscope));
  });
});

describe("a view (CV2, CV3)", () => {
  it("is sharp once the picture was while it rested, and lasts until it is left", () => {
    const { state, microscope, views } = open();
    trackCoverage(microscope);
    state.setState({ region: region(10), fidelity: "refining" });
    vi.advanceTimersByTime(2000);
    expect(views()).toEqual([]);
    state.setState({ fidelity: "exact", region: region(10) });
    expect(views()).toMatchObject([{ l0_x: 10, scale: 0.5, seconds: 2, sharp: true }]);
    vi.advanceTimersByTime(3000);
    state.setState({ region: region(500) });
    expect(views()).toMatchObject([{ l0_x: 10, seconds: 5, sharp: true }]);
  });

  it("that never became sharp is noted as coarse when it is left", () => {
    const { state, microscope, views } = open();
    trackCoverage(microscope);
    state.setState({ region: region(10), fidelity: "preview" });
    vi.advanceTimersByTime(1500);
    state.setState({ region: region(500) });
    expect(views()).toMatchObject([{ l0_x: 10, seconds: 1.5, sharp: false }]);
  });

  it("counts no more than two minutes at a time, and no time in which the page is hidden", () => {
    const { state, microscope, views } = open();
    trackCoverage(microscope);
    state.setState({ region: region(10) });
    vi.advanceTimersByTime(1000);
    page.hidden = true;
    for (const listener of listeners) listener();
    vi.advanceTimersByTime(60_000);
    page.hidden = false;
    for (const listener of listeners) listener();
    vi.advanceTimersByTime(1000);
    expect(views()).toMatchObject([{ l0_x: 10, sharp: true }]);
    expect(views()[0]!.seconds).toBeCloseTo(1.4);
    vi.advanceTimersByTime(1_000_000);
    state.setState({ region: region(500) });
    expect(views()[0]!.seconds).toBeCloseTo(121.4);
  });
});

describe("the text that is kept (CV6)", () => {
  const view = {
    l0_x: 123456,
    l0_y: 654321,
    l0_width: 13660,
    l0_height: 7680,
    rotation: 359.5,
    scale: 0.06251,
    seconds: 12.34,
    sharp: true,
  };

  it("gives the views back, and where the way has come to", () => {
    const text = coverageText({ views: [view], at: { l0_x: 10.4, l0_y: 20 } });
    expect(readCoverage(text)).toEqual({ views: [{ ...view, seconds: 12.3 }], at: { l0_x: 10, l0_y: 20 } });
  });

  it("has at most 100 bytes for each view", () => {
    const large = {
      ...view,
      l0_x: -1234567.8,
      l0_y: -1234567.8,
      l0_width: 1e6 - 0.1,
      l0_height: 1e6 - 0.1,
      seconds: 99999.9,
    };
    const [one, two] = [coverageText({ views: [large], at: null }), coverageText({ views: [large, large], at: null })];
    expect(two.length - one.length).toBeLessThanOrEqual(100);
  });

  it.each([null, "", "no JSON", "[]", "null", '{"views":1,"at":[1]}', '{"views":[[1,2],[1,2,0,4,5,6,7,1],"x",null]}'])(
    "takes nothing from %j",
    (text) => {
      expect(readCoverage(text)).toEqual({ views: [], at: null });
    },
  );
});
