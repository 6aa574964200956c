import { describe, expect, it } from "vitest";
import { trianglesOf } from "./triangles";

function areas(corners: readonly number[], from: number, to: number): number[] {
  const at = (i: number): [number, number] => [corners[2 * (from + i)]!, corners[2 * (from + i) + 1]!];
  const triangles = trianglesOf(corners, from, to);
  return Array.from({ length: triangles.length / 3 }, (_, k) => {
    const [a, b, c] = [at(triangles[3 * k]!), at(triangles[3 * k + 1]!), at(triangles[3 * k + 2]!)];
    return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
  });
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe("triangles of a ring", () => {
  it.each([
    ["a square", [0, 0, 10, 0, 10, 10, 0, 10], 100, 2],
    ["one with a notch", [0, 0, 10, 0, 10, 10, 5, 2, 0, 10], 60, 3],
    ["one with a corner on a line", [0, 0, 5, 0, 10, 0, 10, 10, 0, 10], 100, 2],
    ["a comb", [0, 0, 9, 0, 9, 9, 8, 1, 7, 9, 6, 1, 5, 9, 4, 1, 3, 9, 2, 1, 1, 9], 44.5, 9],
  ])("cover %s", (_, corners, area, most) => {
    const found = areas(corners, 0, corners.length / 2);
    expect(sum(found)).toBe(area);
    expect(found.every((one) => one > 0)).toBe(true);
    expect(found.length).toBeLessThanOrEqual(most);
  });

  it("begin at any corner of a column", () => {
    expect(sum(areas([7, 7, 0, 0, 4, 0, 4, 4, 9, 9], 1, 4))).toBe(8);
  });

  it("end for a ring that crosses itself", () => {
    expect(trianglesOf([0, 0, 10, 10, 10, 0, 0, 10], 0, 4).length % 3).toBe(0);
    expect(trianglesOf([0, 0, 0, 0, 0, 0], 0, 3)).toEqual([]);
  });
});
