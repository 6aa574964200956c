import { expect, it } from "vitest";
import type { Rgb } from "./adjustments";
import { estimateStains, ratioOf } from "./stainEstimate";

/** Pixels of two stains in amounts that repeat: each alone, and both. */
function slide(first: Rgb, second: Rgb, white: Rgb = [255, 255, 255], most = 1): Uint8ClampedArray {
  const rgba: number[] = [];
  for (let i = 0; i < 8000; i++) {
    const a = most * (0.3 + 0.7 * ((i % 97) / 96));
    const b = most * (0.3 + 0.7 * ((i % 89) / 88));
    const [x, y] = [i % 3 === 0 ? 0 : a, i % 3 === 1 ? 0 : b];
    for (let c = 0; c < 3; c++) rgba.push(white[c]! * 10 ** -((x * first[c]! + y * second[c]!) / 1000));
    rgba.push(255);
  }
  return Uint8ClampedArray.from(rgba);
}

const H: Rgb = [560, 740, 372];
const E: Rgb = [216, 848, 484];
const near = (vector: Rgb, by: number) => vector.map((k): unknown => expect.closeTo(k, by));

it.each([
  [H, E],
  [E, H],
])("SN8: finds the two stains that a slide was made of, haematoxylin first", (first, second) => {
  const found = estimateStains(slide(first, second), null)!;
  expect(found.vectors).toEqual([near(H, -1.5), near(E, -1.5)]);
  for (const most of found.most) expect(most).toBeCloseTo(1, 1);
});

it("SN1 SN8: counts from the white point", () => {
  const white: Rgb = [240, 228, 236];
  const found = estimateStains(slide(H, E, white), white)!;
  expect(found.vectors).toEqual([near(H, -1.5), near(E, -1.5)]);
});

it("SN8: has none of a slide without stain, or with one alone", () => {
  expect(estimateStains(new Uint8ClampedArray(40_000).fill(255), null)).toBeNull();
  expect(estimateStains(slide(H, H), null)).toBeNull();
});

it("SN6: keeps ratios within their limits", () => {
  expect([ratioOf(1.2, 1), ratioOf(9, 1), ratioOf(0.1, 1), ratioOf(1, 0)]).toEqual([120, 400, 25, 400]);
});
