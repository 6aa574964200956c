import { describe, expect, it } from "vitest";
import { measure } from "@wavescope/core/geometry/measure";
import { isInside } from "@wavescope/core/geometry/outline";
import type { Shape } from "@wavescope/core/geometry/shape";
import { type Rings, grown } from "./wand";

/** A picture of letters: each has a colour of its own. */
function pictureOf(rows: readonly string[], colours: Readonly<Record<string, readonly number[]>>, scale = 8) {
  const [width, height] = [rows[0]!.length * scale, rows.length * scale];
  const data = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      data.set([...colours[rows[Math.floor(y / scale)]![Math.floor(x / scale)]!]!, 255], 4 * (y * width + x));
  return { width, height, data };
}
const COLOURS = { p: [200, 120, 180], q: [210, 130, 170], w: [250, 250, 250] };
const shapeOf = (rings: Rings): Shape => ({ kind: "polygon", type: "Polygon", parts: rings, groups: [rings.length] });
const areaOf = (rings: Rings): number => measure(shapeOf(rings), null).area!;

describe("the wand", () => {
  const picture = pictureOf(["wwwwww", "wppwpw", "wpwwpw", "wppwww", "wwwwww"], COLOURS);

  it("takes what is connected to the point, and nothing else of the same colour", () => {
    const rings = grown(picture, 12, 12, 20);
    expect(areaOf(rings) / (5 * 64)).toBeCloseTo(1, 1);
    const shape = shapeOf(rings);
    expect([isInside(shape, 20, 12), isInside(shape, 20, 20), isInside(shape, 36, 12)]).toEqual([true, false, false]);
  });

  it("a hole stays a hole, a speck of noise does not", () => {
    const ring = pictureOf(["ppp", "pwp", "ppp"], COLOURS);
    expect(grown(ring, 2, 2, 20)).toHaveLength(2);
    const noisy = pictureOf(["ppp", "ppp", "ppp"], COLOURS);
    noisy.data.set([0, 0, 0], 4 * (12 * 24 + 12));
    expect(grown(noisy, 2, 2, 20)).toHaveLength(1);
  });

  it("goes as far as the tolerance says", () => {
    const near = pictureOf(["ppqq"], COLOURS);
    expect(areaOf(grown(near, 2, 2, 5))).toBeLessThan(130);
    expect(areaOf(grown(near, 2, 2, 12))).toBeGreaterThan(250);
  });

  it("means the colour round the point, not the noise of one pixel", () => {
    const noisy = pictureOf(["pp", "pp"], COLOURS);
    noisy.data.set([215, 135, 180], 4 * (5 * 16 + 5));
    expect(areaOf(grown(noisy, 5, 5, 20))).toBeGreaterThan(240);
  });

  it("finds nothing outside", () => {
    expect([grown(picture, -1, 3, 20), grown(picture, 3, 40, 20), grown(picture, Number.NaN, 1, 20)]).toEqual([
      [],
      [],
      [],
    ]);
  });
});
