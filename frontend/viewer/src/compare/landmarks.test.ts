import { describe, expect, it } from "vitest";
import { type LandmarkPair, fitLandmarks, residuals, rootMeanSquare } from "./landmarks";
import { EVEN, type Point, type Registration, inverse, mapPoint } from "./registration";

const start: Registration = {
  scale: 1,
  rotation: 0,
  mirrored: false,
  ...EVEN,
  planeStep: 2,
  planeShift: -1,
  l0_dx: 0,
  l0_dy: 0,
};
const points: readonly Point[] = [
  [100, 200],
  [3000, 150],
  [2500, 2800],
  [300, 2100],
  [1500, 900],
].map(([l0_x, l0_y]) => ({ l0_x: l0_x!, l0_y: l0_y! }));

const seenBy = (expected: Registration, count: number): LandmarkPair[] =>
  points.slice(0, count).map((left) => ({ left, right: mapPoint(expected, left) }));

function expectSame(found: Registration, expected: Registration): void {
  for (const point of points) {
    const [one, other] = [mapPoint(found, point), mapPoint(expected, point)];
    expect(one.l0_x).toBeCloseTo(other.l0_x, 5);
    expect(one.l0_y).toBeCloseTo(other.l0_y, 5);
  }
}

describe("landmarks", () => {
  const similar = { ...start, scale: 0.52, rotation: 127, l0_dx: -400, l0_dy: 88 };
  const drawn = { ...similar, stretch: 0.04, shear: -0.02 };

  it.each([2, 3, 4, 5])("find a similarity again from %i pairs", (count) => {
    const fit = fitLandmarks(seenBy(similar, count), start)!;
    expect(fit.kind).toBe(count < 4 ? "similarity" : "affine");
    expectSame(fit.registration, similar);
    expect(fit.registration).toMatchObject({ planeStep: 2, planeShift: -1, mirrored: false });
    expect(fit.registration.rotation).toBeCloseTo(127, 6);
  });

  it.each([3, 4])("see from %i pairs that a slide lies upside down", (count) => {
    const fit = fitLandmarks(seenBy({ ...similar, mirrored: true }, count), start)!;
    expect(fit.registration.mirrored).toBe(true);
    expectSame(fit.registration, { ...similar, mirrored: true });
  });

  it("leave with two pairs a slide mirrored as it is", () => {
    const mirrored = { ...similar, mirrored: true };
    expectSame(fitLandmarks(seenBy(mirrored, 2), { ...start, mirrored: true })!.registration, mirrored);
    expect(fitLandmarks(seenBy(mirrored, 2), start)!.registration.mirrored).toBe(false);
  });

  it.each([false, true])(
    "find an affine registration again from four pairs, mirrored %s, and its way back",
    (mirrored) => {
      const expected = { ...drawn, mirrored };
      const { registration } = fitLandmarks(seenBy(expected, 4), start)!;
      expect(registration.stretch).toBeCloseTo(0.04, 9);
      expect(registration.shear).toBeCloseTo(-0.02, 9);
      expectSame(registration, expected);
      for (const point of points)
        expect(mapPoint(inverse(registration), mapPoint(expected, point)).l0_x).toBeCloseTo(point.l0_x, 5);
    },
  );

  it("spread an error over all pairs and tell it in micrometres", () => {
    const pairs = seenBy(similar, 3).map((pair, i) =>
      i === 0 ? { ...pair, right: { ...pair.right, l0_x: pair.right.l0_x + 12 } } : pair,
    );
    const { registration } = fitLandmarks(pairs, start)!;
    const off = residuals(pairs, registration, { mpp: { x: 0.5 } });
    expect(Math.max(...off)).toBeLessThan(6);
    expect(Math.min(...off)).toBeGreaterThan(0);
    for (const [key, step] of [
      ["l0_dx", 0.5],
      ["l0_dx", -0.5],
      ["rotation", 0.02],
      ["rotation", -0.02],
      ["scale", 1e-4],
      ["scale", -1e-4],
    ] as const) {
      const other = residuals(pairs, { ...registration, [key]: registration[key] + step }, { mpp: { x: 0.5 } });
      expect(rootMeanSquare(other), `${key} ${step}`).toBeGreaterThan(rootMeanSquare(off));
    }
    expect(residuals(pairs, registration, { mpp: null }).map((value) => value / 2)).toEqual(off);
  });

  it("in a line keep the similarity", () => {
    const line = [0, 1, 2, 3].map((i) => ({
      left: { l0_x: 100 * i, l0_y: 50 * i },
      right: { l0_x: 100 * i + 7, l0_y: 50 * i },
    }));
    expect(fitLandmarks(line, start)).toMatchObject({ kind: "similarity" });
  });

  it("alone only shift", () => {
    const { kind, registration } = fitLandmarks([{ left: points[0]!, right: { l0_x: 0, l0_y: 0 } }], similar)!;
    expect(kind).toBe("shift");
    expect(registration).toMatchObject({ scale: 0.52, rotation: 127 });
    expect(mapPoint(registration, points[0]!).l0_x).toBeCloseTo(0, 9);
  });

  it("that tell nothing give no registration", () => {
    expect(fitLandmarks([], start)).toBeNull();
    const spot = { l0_x: 5, l0_y: 5 };
    expect(
      fitLandmarks(
        [
          { left: spot, right: spot },
          { left: spot, right: points[0]! },
        ],
        start,
      ),
    ).toBeNull();
  });
});
