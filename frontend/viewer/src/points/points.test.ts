import { describe, expect, it } from "vitest";
import { type Points, coloursOf, nearestPoint, paintPoints, paintSelected, pointSize, pointsIn } from "./points";

const IDENTITY = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
const POINTS: Points = {
  xy: Float32Array.of(1, 1, 6, 2, 40, 40),
  codes: Uint8Array.of(0, 1, 0),
  colours: coloursOf(["ff0000", "00ff00"]),
};
const RED = 0xff0000ff;
const GREEN = 0xff00ff00;

const raster = (width: number, height: number) => ({ pixels: new Uint32Array(width * height), width, height });
const painted = ({ pixels }: { readonly pixels: Uint32Array }): number => pixels.filter((one) => one !== 0).length;

describe("points over a slide (NB5)", () => {
  it("NB5: paints each point in its colour, and only those that the raster shows", () => {
    const small = raster(8, 4);
    paintPoints(small, POINTS, IDENTITY, 2);
    expect(small.pixels[0]).toBe(RED);
    expect(small.pixels[1 * 8 + 5]).toBe(GREEN);
    expect(painted(small)).toBe(8);
    paintPoints(small, POINTS, { ...IDENTITY, e: -38, f: -38 }, 2);
    expect(painted(small)).toBe(4);
  });

  it("NB5: cuts points at the edges", () => {
    const small = raster(2, 2);
    paintPoints(small, { ...POINTS, xy: Float32Array.of(0, 0, 2, 2, 40, 40) }, IDENTITY, 2);
    expect([...small.pixels]).toEqual([RED, 0, 0, GREEN]);
  });

  it("NB5: marks selected points around their colour", () => {
    const small = raster(20, 20);
    paintSelected(small, { ...POINTS, xy: Float32Array.of(10, 10, 0, 0, 0, 0) }, Uint32Array.of(0), IDENTITY, 2);
    expect(small.pixels[10 * 20 + 10]).toBe(RED);
    expect(painted(small)).toBe(36);
  });

  it("NB5: finds the nearest point within reach", () => {
    expect(nearestPoint(POINTS, 5, 2, 3)).toBe(1);
    expect(nearestPoint(POINTS, 20, 20, 3)).toBeNull();
  });

  it("NB5: finds those in a box of the screen, also of a turned slide", () => {
    const box = { left: 0, top: 0, right: 10, bottom: 10 };
    expect([...pointsIn(POINTS, IDENTITY, box)]).toEqual([0, 1]);
    const turned = { a: 0, b: 1, c: -1, d: 0, e: 5, f: 0 };
    expect([...pointsIn(POINTS, turned, { ...box, right: 3.5 })]).toEqual([1]);
  });

  it("grows points with the magnification, within bounds", () => {
    expect([0.01, 0.5, 8].map((a) => pointSize({ ...IDENTITY, a, d: a }, 1))).toEqual([2, 5, 9]);
  });
});
