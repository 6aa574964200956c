import { expect, it } from "vitest";
import { twistOf, wheelSteps } from "./gestures";

const finger = (x: number, y: number, before_x = x, before_y = y) => ({ currentPos: { x, y }, lastPos: { x: before_x, y: before_y } }) as never;

it("reads the turn of two fingers, clockwise, also across the half turn", () => {
  expect(twistOf(finger(0, 0), finger(0, 10, 10, 0))).toBeCloseTo(90);
  expect(twistOf(finger(0, 0), finger(10, 0, 0, 10))).toBeCloseTo(-90);
  expect(twistOf(finger(0, 0), finger(-10, -1, -10, 1))).toBeCloseTo(2 * (Math.atan(0.1) * 180) / Math.PI);
  expect(twistOf(finger(0, 0), finger(20, 0, 10, 0))).toBe(0);
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
