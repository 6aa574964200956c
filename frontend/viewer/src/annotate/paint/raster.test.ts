import { describe, expect, it } from "vitest";
import { line, point } from "@wavescope/core/geometry/shape";
import type { Matrix } from "./matrix";
import { type Bitmap, paintChunks } from "./raster";
import { type Drawable, buildChunks } from "./scene";

const RED = 0xff0000ff;
const BLUE = 0xffff0000;
const AS_IT_IS: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

function painted(drawables: Drawable[], matrix = AS_IT_IS, ratio = 1): Bitmap {
  const building = buildChunks(drawables);
  let step = building.next();
  while (!step.done) step = building.next();
  const bitmap = { words: new Uint32Array(60 * 40), width: 60, height: 40 };
  const painting = paintChunks(bitmap, step.value, matrix, ratio);
  while (!painting.next().done);
  return bitmap;
}

const alpha = ({ words, width }: Bitmap, x: number, y: number): number => words[y * width + x]! >>> 24;
const color = ({ words, width }: Bitmap, x: number, y: number): number => words[y * width + x]! & 0xffffff;

describe("paintChunks", () => {
  it("covers pixels by their distance to a line: two wide, half at its borders, round at its ends", () => {
    const level = painted([{ id: "a", shape: line("line", [10, 20, 50, 20]), color: RED }]);
    expect([17, 18, 19, 20, 21, 22].map((y) => alpha(level, 30, y))).toEqual([0, 0, 255, 255, 0, 0]);
    expect([8, 9, 10].map((x) => alpha(level, x, 20) > 0)).toEqual([false, true, true]);
    const between = painted([{ id: "a", shape: line("line", [10, 20.5, 50, 20.5]), color: RED }]);
    expect([18, 19, 20, 21, 22].map((y) => alpha(between, 30, y))).toEqual([0, 128, 255, 128, 0]);
  });

  it("draws steep and slanted lines as wide as level ones", () => {
    for (const places of [
      [30, 5, 30, 35],
      [10, 5, 40, 35],
      [10, 35, 50, 5],
    ]) {
      const { words } = painted([{ id: "a", shape: line("line", places), color: RED }]);
      const area = words.reduce((sum, word) => sum + (word >>> 24) / 255, 0);
      const far = Math.hypot(places[2]! - places[0]!, places[3]! - places[1]!);
      expect(area / (2 * far + Math.PI)).toBeCloseTo(1, 1);
    }
  });

  it("lays a later line over an earlier one, and mixes where it covers a part", () => {
    const crossed = painted([
      { id: "a", shape: line("line", [10, 20, 50, 20]), color: RED },
      { id: "b", shape: line("line", [30.5, 0, 30.5, 40]), color: BLUE },
    ]);
    expect(color(crossed, 30, 19)).toBe(BLUE & 0xffffff);
    expect([color(crossed, 29, 19) & 255, (color(crossed, 29, 19) >>> 16) & 255, alpha(crossed, 29, 19)]).toEqual([
      127, 128, 255,
    ]);
  });

  it("draws points as rings round a bright core, and twice as large at two pixels per CSS pixel", () => {
    const ring = (ratio: number): Bitmap =>
      painted([{ id: "a", shape: point("point", 30, 20), color: RED }], AS_IT_IS, ratio);
    expect([color(ring(1), 30, 20), color(ring(1), 33, 20)]).toEqual([0xffffff, RED & 0xffffff]);
    expect([alpha(ring(1), 36, 20), alpha(ring(2), 36, 20)]).toEqual([0, 255]);
  });

  it("turns and flips as the matrix says, draws nothing beyond the bitmap, and nothing that was taken out", () => {
    const turned = painted([{ id: "a", shape: line("line", [0, 0, 20, 0]), color: RED }], {
      a: 0,
      b: 1,
      c: -1,
      d: 0,
      e: 30,
      f: 10,
    });
    expect([alpha(turned, 30, 20), alpha(turned, 40, 10)]).toEqual([255, 0]);
    const beyond = painted([{ id: "a", shape: line("line", [-500, 20, 900, 20]), color: RED }]);
    expect([alpha(beyond, 0, 20), alpha(beyond, 59, 20), alpha(beyond, 0, 25)]).toEqual([255, 255, 0]);
    expect(
      painted([{ id: "a", shape: line("line", [10, 20, 50, 20]), color: 0 }]).words.every((word) => word === 0),
    ).toBe(true);
  });

  it("draws translucent lines of one colour equally dark where they overlap, over what is opaque (AN53)", () => {
    const faded = ((0x80 << 24) | 0x0000ff) >>> 0;
    const corners = Array.from({ length: 41 }, (_, i) => [10 + i, 20]).flat(); // dense: each pixel is covered by many
    const level = painted([
      { id: "a", shape: line("line", corners), color: faded },
      { id: "b", shape: line("line", [30, 5, 30, 35]), color: faded },
    ]);
    expect([15, 30, 45].map((x) => alpha(level, x, 20))).toEqual([0x80, 0x80, 0x80]);
    const over = painted([
      { id: "a", shape: line("line", [10, 20, 50, 20]), color: faded },
      { id: "b", shape: line("line", [10, 20, 50, 20]), color: BLUE },
    ]);
    expect([alpha(over, 30, 20), color(over, 30, 20)]).toEqual([255, 0x7f0080]);
  });
});
