import { expect, it } from "vitest";
import { Pyramid } from "@wavescope/core/geometry/pyramid";
import { boundingRegion, requestFor } from "./region";

const pyramid = new Pyramid(5000, 3001);
const region = (l0_x: number, l0_y: number, l0_width: number, l0_height: number) => ({
  l0_x,
  l0_y,
  l0_width,
  l0_height,
});

it("takes every pixel that the rectangle touches", () => {
  expect(requestFor(pyramid, region(100.4, 201, 10.2, 20), 0, 1, "png")).toEqual({
    x: 100,
    y: 201,
    width: 11,
    height: 20,
    level: 0,
    z: 1,
    format: "png",
  });
  expect(requestFor(pyramid, region(101, 201, 10, 20), 2, 0, "jpg")).toMatchObject({
    x: 100,
    y: 200,
    width: 3,
    height: 6,
    level: 2,
  });
});

it("keeps within the slide, whose last pixels may be parts", () => {
  expect(requestFor(pyramid, region(-50, -50, 9000, 9000), 1, 0, "png")).toMatchObject({
    x: 0,
    y: 0,
    width: 2500,
    height: 1501,
  });
  expect(requestFor(pyramid, region(6000, 0, 10, 10), 0, 0, "png")).toBeNull();
  expect(requestFor(pyramid, region(0, 0, 0, 10), 0, 0, "png")).toBeNull();
  expect(requestFor(pyramid, region(NaN, 0, 5, 10), 0, 0, "png")).toBeNull();
});

it("begins a TIFF where coarser levels have a pixel of their own", () => {
  expect(requestFor(pyramid, region(1000, 700, 100, 100), 0, 0, "tiff")).toMatchObject({
    x: 960,
    y: 640,
    width: 140,
    height: 160,
  });
  expect(requestFor(pyramid, region(1000, 700, 100, 100), 2, 0, "tiff-jpeg")).toMatchObject({
    x: 768,
    y: 512,
    width: 83,
    height: 72,
  });
});

it("puts a rectangle around a turned field", () => {
  expect(
    boundingRegion([
      { l0_x: 5, l0_y: 0 },
      { l0_x: 10, l0_y: 5 },
      { l0_x: 5, l0_y: 10 },
      { l0_x: 0, l0_y: 5 },
    ]),
  ).toEqual(region(0, 0, 10, 10));
});
