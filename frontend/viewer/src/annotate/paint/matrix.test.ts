import { describe, expect, it } from "vitest";
import { seeded } from "@wavescope/core/wire/testing";
import { transform, turnMatrix } from "../../core/rotation";
import {
  type Matrix,
  after,
  inverse,
  matrixOf,
  onCanvas,
  onSlide,
  sameMatrix,
  scaleOf,
  shifted,
  visibleBox,
} from "./matrix";

const [WIDTH, HEIGHT] = [800, 600];

function someMatrices(): {
  matrix: Matrix;
  placement: Parameters<typeof matrixOf>[0];
  degrees: number;
  flip: boolean;
}[] {
  const random = seeded(7);
  return Array.from({ length: 50 }, (_, i) => {
    const placement = {
      canvas_x: (random() - 0.5) * 5000,
      canvas_y: (random() - 0.5) * 5000,
      l0_scale: 2 ** (random() * 8 - 6),
    };
    const degrees = i % 5 === 0 ? 0 : random() * 720 - 360;
    const flip = random() < 0.5;
    return { matrix: matrixOf(placement, WIDTH, HEIGHT, degrees, flip), placement, degrees, flip };
  });
}

describe("matrixOf", () => {
  it("places a point as the drawer does: laid out, turned about the middle, mirrored", () => {
    for (const { matrix, placement, degrees, flip } of someMatrices()) {
      const [x, y] = [1234.5, 678.25];
      const drawn = transform(
        turnMatrix(WIDTH, HEIGHT, degrees, flip),
        placement.canvas_x + x * placement.l0_scale,
        placement.canvas_y + y * placement.l0_scale,
      );
      const [canvas_x, canvas_y] = onCanvas(matrix, x, y);
      expect(canvas_x).toBeCloseTo(drawn[0], 6);
      expect(canvas_y).toBeCloseTo(drawn[1], 6);
    }
  });

  it("keeps the scale, however it is turned", () => {
    for (const { matrix, placement } of someMatrices()) expect(scaleOf(matrix)).toBeCloseTo(placement.l0_scale, 12);
  });
});

it("finds the way back from the canvas to the slide", () => {
  for (const { matrix } of someMatrices()) {
    const [x, y] = onSlide(matrix, ...onCanvas(matrix, 4321, -17));
    expect(x).toBeCloseTo(4321, 5);
    expect(y).toBeCloseTo(-17, 5);
    const [back_x, back_y] = onCanvas(inverse(matrix), ...onCanvas(matrix, 4321, -17));
    expect(back_x).toBeCloseTo(4321, 5);
    expect(back_y).toBeCloseTo(-17, 5);
  }
});

it("joins two matrices in the order in which they are applied", () => {
  const [first, then] = someMatrices()
    .slice(1)
    .map(({ matrix }) => matrix) as [Matrix, Matrix];
  const both = onCanvas(after(first, then), 12, 34);
  const oneByOne = onCanvas(then, ...onCanvas(first, 12, 34));
  expect(both[0]).toBeCloseTo(oneByOne[0], 6);
  expect(both[1]).toBeCloseTo(oneByOne[1], 6);
  expect(onCanvas(shifted(first, 5, -6), 12, 34)).toEqual(
    onCanvas(first, 12, 34).map((value, i) => expect.closeTo(value + [5, -6][i]!, 6) as number),
  );
});

it("gives the box of the slide that the canvas shows: every point of the canvas lies in it", () => {
  for (const { matrix } of someMatrices()) {
    const box = visibleBox(matrix, WIDTH, HEIGHT, 10);
    for (const [canvas_x, canvas_y] of [
      [0, 0],
      [WIDTH, HEIGHT],
      [-10, HEIGHT + 10],
      [WIDTH / 2, HEIGHT / 3],
    ]) {
      const [x, y] = onSlide(matrix, canvas_x!, canvas_y!);
      expect(x >= box.minX - 1e-6 && x <= box.maxX + 1e-6 && y >= box.minY - 1e-6 && y <= box.maxY + 1e-6).toBe(true);
    }
  }
});

it("tells matrices apart by every member", () => {
  const { matrix } = someMatrices()[0]!;
  expect(sameMatrix(matrix, { ...matrix })).toBe(true);
  for (const key of ["a", "b", "c", "d", "e", "f"] as const)
    expect(sameMatrix(matrix, { ...matrix, [key]: matrix[key] + 1 })).toBe(false);
});
