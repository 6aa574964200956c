import { expect, it } from "vitest";
import { leftOver } from "./leftOver";

it("what is left is reported as the median and by 95 of 100 cells (RE4)", () => {
  const residuals = Array.from({ length: 100 }, (_, i): [number, number, number, number, number] => [
    0,
    0,
    3 * i,
    4 * i,
    1,
  ]);
  expect(leftOver({ residuals })).toEqual({ median: 250, most: 475 });
  expect(leftOver({ residuals: [] })).toEqual({ median: 0, most: 0 });
});
