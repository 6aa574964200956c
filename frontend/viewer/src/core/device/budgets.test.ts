import { expect, it } from "vitest";
import { type Budgets, budgetsFor } from "./budgets";

const MIB = 1 << 20;
const decoded = ({ samples, bitmaps }: Budgets): number => (samples + bitmaps) / MIB;

it("keeps decoded data within 512 MB, and within less where there is little memory", () => {
  expect(decoded(budgetsFor({ deviceMemory: 8, hardwareConcurrency: 8 }))).toBeLessThan(512);
  expect(decoded(budgetsFor({ deviceMemory: 2 }))).toBeLessThan(decoded(budgetsFor({})) / 2 + 1);
});

it("gives each of two microscopes half of what one has", () => {
  for (const device of [
    { deviceMemory: 8, hardwareConcurrency: 8 },
    { deviceMemory: 1, hardwareConcurrency: 2 },
  ]) {
    const [one, half] = [budgetsFor(device), budgetsFor(device, 2)];
    for (const kind of ["samples", "bitmaps", "compressed"] as const) expect(half[kind]).toBe(one[kind] / 2);
    expect(half.workers).toBeGreaterThanOrEqual(1);
    expect(2 * half.workers).toBeLessThanOrEqual(Math.max(2, one.workers));
  }
});
