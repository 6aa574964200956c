import { expect, it } from "vitest";
import { levelled, shortest } from "./touch";

it("takes back slight turns and leaves those that were meant", () => {
  expect([0, 5, -8, 88, 93, 274, 359].map(levelled)).toEqual([0, 0, -0, 90, 90, 270, 360]);
  expect([9, 45, -30, 101].map(levelled)).toEqual([9, 45, -30, 101]);
});

it("takes turns the short way round", () => {
  expect([10, 190, -200, 350, 725].map(shortest)).toEqual([10, -170, 160, -10, 5]);
});
