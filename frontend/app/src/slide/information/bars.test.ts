import { expect, it } from "vitest";
import { barsOf } from "./bars";

it.each<[readonly number[], readonly number[], number]>([
  [[], [], 0],
  [[0, 0], [0, 0], 0],
  [[1, 4, 16], [25, 50, 100], 16],
  [[7], [100], 7],
  [[0, 9], [0, 100], 9],
])("bars of %j are %j high, by their square root; the most is %d", (amounts, bars, most) => {
  expect(barsOf(amounts)).toEqual({ bars, most });
});

it("a bar is higher for a larger amount, and none is higher than 100", () => {
  const amounts = [3, 1e9, 20, 5e4, 1];
  const { bars } = barsOf(amounts);
  const byAmount = amounts.map((amount, i) => [amount, bars[i]]).sort(([a], [b]) => a! - b!);
  expect(byAmount.map(([, bar]) => bar)).toEqual([...bars].sort((a, b) => a - b));
  expect(Math.max(...bars)).toBe(100);
});
