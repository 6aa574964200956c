import { expect, it } from "vitest";
import { testManifest } from "@wavescope/core/wire/testing";
import { rejectionOf } from "./rejection";

const expected = (bytes: number) => ({ bytes, seconds: 1, psnr: 38, score: 80, fits: true });
const lossy = { profile: "visual", bytes: 1000, details: testManifest().details };
const measured = (quality: string) => ({
  ...lossy,
  details: {
    ...lossy.details,
    quality: { tiles: 4, psnr: [[39.4], [40]] },
    chosen: { quality, reason: "score", measure: "SSIMULACRA 2", score: 80, reencoded: 0, factor: 1 },
  },
});
const LOST = "What a lossy version has lost cannot be restored.";
const LARGE = "Not smaller than the stored slide.";

it.each([
  ["lossless", null, LOST],
  ["visual", 900, LARGE], // the quality that it has
  ["39.3dB", 900, LOST],
  ["39.1dB", 900, null],
  ["50dB", null, LOST],
  ["compact", 900, null],
  ["compact", 1000, LARGE],
  ["compact", null, null], // not estimated yet
])("ST68: of a slide of 39.4 dB and 1000 bytes, %s with %s bytes", (quality, bytes, reason) => {
  expect(rejectionOf(measured("visual"), quality, bytes === null ? null : expected(bytes))).toBe(reason);
});

it("ST68: a lossless slide can have every lossy quality that is smaller", () => {
  const lossless = { ...measured("lossless"), profile: "lossless" };
  expect(rejectionOf(lossless, "lossless", expected(900))).toBe(LARGE);
  expect(rejectionOf(lossless, "50dB", expected(900))).toBeNull();
  expect(rejectionOf(lossless, "fine", expected(1001))).toBe(LARGE);
});
