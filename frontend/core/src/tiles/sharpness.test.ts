import { expect, it } from "vitest";
import { EXACT_PSNR, type SlideDetails } from "../wire/slides/details";
import { sharpLayers } from "./sharpness";

const measured = (psnr: readonly (readonly (number | null)[])[] | null, layers = 2) => {
  const details: SlideDetails = {
    bytes: [],
    quality: psnr && { tiles: 4, psnr },
    chosen: null,
    window: null,
    source: { name: null, format: null, bytes: null, tileBytes: null, fingerprint: null },
  };
  return sharpLayers({ top: 3, layers, details });
};

it("is all layers at level 0, and above it the first that reaches what level 0 has", () => {
  expect(
    measured([
      [33.5, 38.1],
      [36, 41.3],
      [37.6, 43.6],
      [40.4, 46],
    ]),
  ).toEqual([2, 2, 1, 1]);
  expect(
    measured([
      [33.5, 38.1],
      [36, 41.3],
      [37.2, 43.6],
      [30.4, 33],
    ]),
  ).toEqual([2, 2, 2, 2]);
});

it("is all layers of a lossless slide, and where nothing was measured", () => {
  expect(
    measured(
      [
        [36, 41, EXACT_PSNR],
        [40, 45, EXACT_PSNR],
        [44, 50, EXACT_PSNR],
        [47, 52, EXACT_PSNR],
      ],
      3,
    ),
  ).toEqual([3, 3, 3, 3]);
  expect(measured(null)).toEqual([2, 2, 2, 2]);
  expect(
    measured([
      [33.5, null],
      [40, 41],
      [40, 41],
      [40, 41],
    ]),
  ).toEqual([2, 2, 2, 2]);
  expect(measured([[33.5, 38.1]])).toEqual([2, 2, 2, 2]);
});
