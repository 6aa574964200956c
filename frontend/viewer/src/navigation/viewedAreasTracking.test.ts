import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Microscope } from "../core/microscope";
import { stub } from "@wavescope/core/stub";
import { trackViewedAreas, strength, viewedAreasOf } from "./viewedAreas";

const region = (l0_x: number) => ({ l0_x, l0_y: 0, l0_width: 100, l0_height: 50 });

function open() {
  const state = createStore(() => ({ region: region(0), rotation: 0, other: 0 }));
  const microscope = stub<Microscope>({ state, pyramid: { width: 1000, height: 600 } });
  const fields = () =>
    viewedAreasOf(microscope)
      .getState()
      .fields.map(({ l0_x, rotation }) => [l0_x, rotation]);
  return { state, microscope, fields };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the viewed areas", () => {
  it("hold a field that was rested on for 400 ms, not what was passed on the way", () => {
    const { state, microscope, fields } = open();
    trackViewedAreas(microscope);
    for (const x of [100, 200, 300]) {
      state.setState({ region: region(x) });
      vi.advanceTimersByTime(399);
    }
    expect(fields()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fields()).toEqual([[300, 0]]);
  });

  it("hold the rotation with which it was seen", () => {
    const { state, microscope, fields } = open();
    trackViewedAreas(microscope);
    state.setState({ region: region(10), rotation: 90 });
    vi.advanceTimersByTime(400);
    expect(fields()).toEqual([[10, 90]]);
  });

  it("do not wait longer because something else of the state changes", () => {
    const { state, microscope, fields } = open();
    trackViewedAreas(microscope);
    state.setState({ region: region(10) });
    vi.advanceTimersByTime(300);
    state.setState({ other: 1 });
    vi.advanceTimersByTime(100);
    expect(fields()).toHaveLength(1);
  });

  it("leave out the whole slide, with which it opens, however it is turned", () => {
    const { state, microscope, fields } = open();
    trackViewedAreas(microscope);
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
    trackViewedAreas(microscope);
    state.setState({ region: region(100) });
    vi.advanceTimersByTime(300);
    state.setState({ region: { l0_x: 0, l0_y: 0, l0_width: 1000, l0_height: 600 } });
    vi.advanceTimersByTime(1000);
    expect(fields()).toEqual([]);
  });

  it("get nothing after the following has stopped", () => {
    const { state, microscope, fields } = open();
    const stop = trackViewedAreas(microscope);
    state.setState({ region: region(10) });
    stop();
    vi.advanceTimersByTime(1000);
    state.setState({ region: region(20) });
    vi.advanceTimersByTime(1000);
    expect(fields()).toEqual([]);
  });

  it("belong to one open slide", () => {
    const [one, other] = [open(), open()];
    expect(viewedAreasOf(one.microscope)).toBe(viewedAreasOf(one.microscope));
    expect(viewedAreasOf(one.microscope)).not.toBe(viewedAreasOf(other.microscope));
  });
});

it("the newest field is shown wholly, each older one fainter, none invisibly", () => {
  const shown = Array.from({ length: 120 }, (_, i) => strength(i, 120));
  expect(shown.at(-1)).toBe(1);
  for (let i = 1; i < shown.length; i += 1) expect(shown[i]).toBeGreaterThan(shown[i - 1]!);
  expect(shown[0]).toBeGreaterThan(0.1);
});
