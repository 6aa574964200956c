import { describe, expect, it } from "vitest";
import { directionBack, isSlanted, transform, transformBack, turnMatrix } from "./rotation";

describe("turnMatrix", () => {
  it("leaves the upright slide alone, and mirrors it on itself", () => {
    expect(turnMatrix(801, 600, 0, false).map((value) => value + 0)).toEqual([1, 0, 0, 1, 0, 0]);
    expect(transform(turnMatrix(801, 600, 360, true), 0, 5)).toEqual([801, 5]);
  });

  it("lays whole pixels on whole pixels at right angles, whatever the canvas's size", () => {
    for (const rotation of [90, 180, -90, 270, 450, 90 + 1e-9]) {
      for (const flip of [false, true]) {
        for (const value of turnMatrix(801, 600, rotation, flip)) expect(Number.isInteger(value)).toBe(true);
      }
    }
  });

  it("turns clockwise about the centre and mirrors afterwards", () => {
    const [x, y] = transform(turnMatrix(800, 600, 30, false), 500, 300);
    expect([x, y]).toEqual([expect.closeTo(400 + 100 * Math.cos(Math.PI / 6)), expect.closeTo(300 + 50)]);
    expect(transform(turnMatrix(800, 600, 30, true), 500, 300)).toEqual([expect.closeTo(800 - x), expect.closeTo(y)]);
  });

  it("has a way back", () => {
    for (const rotation of [0, 33, 90, 211.5]) {
      for (const flip of [false, true]) {
        const matrix = turnMatrix(800, 601, rotation, flip);
        const [x, y] = transform(matrix, 123, 456);
        expect(transformBack(matrix, x, y)).toEqual([expect.closeTo(123), expect.closeTo(456)]);
      }
    }
  });
});

it("knows which way of the slide is right on the screen", () => {
  expect(directionBack(90, false, 1, 0).map(Math.round)).toEqual([0, -1]);
  expect(directionBack(0, true, 1, 0).map(Math.round)).toEqual([-1, 0]);
  expect(directionBack(180, true, 0, 1).map(Math.round)).toEqual([0, -1]);
});

it("calls only other than right angles slanted", () => {
  expect([0, 90, -180, 720, 89.9, 45].map(isSlanted)).toEqual([false, false, false, false, true, true]);
});
