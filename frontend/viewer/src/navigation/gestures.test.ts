import { expect, it, vi } from "vitest";
import { twistOf, wheelSteps } from "./gestures";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

const fingers = (x: number, y: number) =>
  [
    { x: 0, y: 0 },
    { x, y },
  ] as const;

it("reads the turn of two fingers, clockwise, also across the half turn", () => {
  expect(twistOf(fingers(10, 0), fingers(0, 10))).toBeCloseTo(90);
  expect(twistOf(fingers(0, 10), fingers(10, 0))).toBeCloseTo(-90);
  expect(twistOf(fingers(-10, 1), fingers(-10, -1))).toBeCloseTo((2 * (Math.atan(0.1) * 180)) / Math.PI);
  expect(twistOf(fingers(10, 0), fingers(20, 0))).toBe(0);
});

it("moves one plane for a notch of a wheel, and for as much movement of a touchpad", () => {
  expect(wheelSteps(0, 120)).toEqual({ steps: 1, rest: 0 });
  expect(wheelSteps(0, -100)).toEqual({ steps: -1, rest: 0 });
  let [wheel, planes] = [0, 0];
  for (let i = 0; i < 30; i += 1) {
    const { steps, rest } = wheelSteps(wheel, 8);
    wheel = rest;
    planes += steps;
  }
  expect(planes).toBe(3);
  expect(wheelSteps(40, -30)).toEqual({ steps: 0, rest: -30 });
});
