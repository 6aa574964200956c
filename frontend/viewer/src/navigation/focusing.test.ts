import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { stub } from "@wavescope/core/stub";
import type { Microscope } from "../core/microscope";
import { SPEEDS, changeSpeed, nextPlane, playingOf, togglePlay } from "./focusing";

function open(planes = 4) {
  const state = createStore(() => ({ fidelity: "exact" }));
  const seen: number[] = [];
  const microscope = {
    state,
    plane: 0,
    manifest: { planes },
    viewer: { addOnceHandler: () => undefined },
    setPlane(plane: number) {
      microscope.plane = plane;
      seen.push(plane);
    },
  };
  const input = new EventTarget();
  return { microscope: stub<Microscope>(microscope), state, seen, input };
}

const press = (input: EventTarget, kind: string, more: object = {}): void => {
  input.dispatchEvent(Object.assign(new Event(kind), more));
  vi.advanceTimersByTime(0);
};

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

it("goes up through the planes and down again (ZS2)", () => {
  const way: number[] = [];
  let at: ReturnType<typeof nextPlane> = { plane: 1, direction: 1 };
  for (let i = 0; i < 7; i++) way.push((at = nextPlane(at.plane, at.direction, 4)).plane);
  expect(way).toEqual([2, 3, 2, 1, 0, 1, 2]);
});

describe("playing (ZS2)", () => {
  it("changes the plane as often as the speed says, and stops when it is called again", () => {
    const { microscope, seen, input } = open();
    togglePlay(microscope, undefined, input);
    vi.advanceTimersByTime(2050);
    expect(seen).toEqual([1, 2, 3, 2]);
    togglePlay(microscope, undefined, input);
    vi.advanceTimersByTime(2000);
    expect(seen).toHaveLength(4);
  });

  it("waits for pictures", () => {
    const { microscope, state, seen, input } = open();
    togglePlay(microscope, undefined, input);
    state.setState({ fidelity: "preview" });
    vi.advanceTimersByTime(3000);
    expect(seen).toEqual([]);
    state.setState({ fidelity: "refining" });
    vi.advanceTimersByTime(200);
    expect(seen).toEqual([1]);
  });

  it.each([
    ["a press", "pointerdown", {}],
    ["the wheel", "wheel", {}],
    ["a key", "keydown", { key: "a", repeat: false }],
  ])("stops at %s", (_, kind, more) => {
    const { microscope, input } = open();
    togglePlay(microscope, undefined, input);
    press(input, kind, more);
    expect(playingOf(microscope).getState().playing).toBe(false);
  });

  it("does not stop at a key that only modifies, one that is held, or a control of its own", () => {
    const { microscope, input } = open();
    togglePlay(microscope, () => own, input);
    let own = false;
    press(input, "keydown", { key: "Shift", repeat: false });
    press(input, "keydown", { key: "K", repeat: true });
    own = true;
    press(input, "pointerdown");
    expect(playingOf(microscope).getState().playing).toBe(true);
  });

  it("knows four speeds, in turn", () => {
    const { microscope } = open();
    const speeds = SPEEDS.map(() => {
      changeSpeed(microscope);
      return playingOf(microscope).getState().speed;
    });
    expect(speeds).toEqual([4, 8, 1, 2]);
  });
});
