import { expect, it } from "vitest";
import { enlargement } from "./tileCompositor";

it.each([
  [1.28, 1.28, 1],
  [2, 1, 2],
  [7.2, 0.9, 8],
  [1.3, 0.65, 1],
  [5.2, 0.65, 4],
  [12, 1.5, 8],
])("a level at a scale of %s, where the wanted level is at %s, is first enlarged %i times", (scale, wanted, factor) => {
  expect(enlargement(scale, wanted)).toBe(factor);
});

it("is always a power of two, and leaves a last step between 1/1.42 and 1.42 for levels below 1:1", () => {
  for (let wanted = 0.501; wanted <= 1; wanted += 0.013) {
    for (let level = 1; level < 9; level += 1) {
      const factor = enlargement(wanted * 2 ** level, wanted);
      expect(Number.isInteger(Math.log2(factor))).toBe(true);
      const last = (wanted * 2 ** level) / factor;
      expect(last).toBeGreaterThan(0.7);
      expect(last).toBeLessThan(1.42);
    }
  }
});
