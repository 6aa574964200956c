import { describe, expect, it } from "vitest";
import { type Landmark, misfit, registrationBy } from "./landmarks";
import { type Registration, mapPoint } from "./registration";

const like: Registration = { scale: 1, rotation: 0, mirrored: false, l0_dx: 0, l0_dy: 0, planeStep: 1, planeShift: 2 };
const spots = [
  { l0_x: 100, l0_y: 200 },
  { l0_x: 3000, l0_y: 500 },
  { l0_x: 1200, l0_y: 2800 },
];
const marked = (truth: Registration, count: number): Landmark[] => {
  return spots.slice(0, count).map((left) => ({ left, right: mapPoint(truth, left) }));
};

describe.each([false, true])("landmarks on slides that are mirrored: %s", (mirrored) => {
  const truth = { ...like, scale: 0.8, rotation: 12.5, mirrored, l0_dx: 300, l0_dy: -20 };

  it.each([2, 3])("tell shift, turn and scale by %i of them", (count) => {
    const found = registrationBy(marked(truth, count), { ...like, mirrored })!;
    expect(found.scale).toBeCloseTo(truth.scale, 9);
    expect(found.rotation).toBeCloseTo(truth.rotation, 7);
    expect([found.l0_dx, found.l0_dy].map((value) => Number(value.toFixed(6)))).toEqual([300, -20]);
    expect(found.planeShift).toBe(2);
    expect(misfit(marked(truth, count), found)).toBeLessThan(1e-6);
  });
});

it("takes the similarity of least squares where the marks contradict each other", () => {
  const marks = marked({ ...like, rotation: 5 }, 3).map((mark, i) => ({ ...mark, right: { ...mark.right, l0_x: mark.right.l0_x + [9, -7, 4][i] } }));
  const best = registrationBy(marks, like)!;
  const least = misfit(marks, best);
  expect(least).toBeGreaterThan(1);
  for (const change of [{ scale: best.scale * 1.001 }, { rotation: best.rotation + 0.05 }, { l0_dx: best.l0_dx + 1 }, { l0_dy: best.l0_dy - 1 }]) {
    expect(misfit(marks, { ...best, ...change })).toBeGreaterThan(least);
  }
});

it("does not guess from one mark, or from marks on one spot", () => {
  expect(registrationBy(marked(like, 1), like)).toBeNull();
  expect(registrationBy([...marked(like, 1), ...marked(like, 1)], like)).toBeNull();
  const [first, second] = marked(like, 2);
  expect(registrationBy([first, { left: second.left, right: first.right }], like)).toBeNull();
});
