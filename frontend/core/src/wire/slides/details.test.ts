import { expect, it } from "vitest";
import { servedManifest } from "../testing";
import { detailsOf, storedPsnr, storedSigma } from "./details";

const source = { name: "a.svs", format: "aperio", bytes: 4000, tile_bytes: 9, fingerprint: "f0" };

it("ST3: gives stored bytes and where the slide came from", () => {
  expect(detailsOf(servedManifest({ bytes: [[1, 2], [3]], source }))).toEqual({
    bytes: [[1, 2], [3]],
    quality: null,
    chosen: null,
    window: null,
    source: { name: "a.svs", format: "aperio", bytes: 4000, tileBytes: 9, fingerprint: "f0" },
  });
});

it("ST60: gives the measured quality where there is one", () => {
  const quality = { tiles: 4, psnr: [[37.6, null], [99]] };
  expect(detailsOf(servedManifest({ quality })).quality).toEqual(quality);
});

it("ST66: gives how the quality was chosen, and how often the slide was encoded again", () => {
  const chosen = {
    quality: "38dB",
    reason: "target",
    target: 38,
    factor: 1,
    psnr: 38.1,
    measure: "SSIMULACRA 2",
    score: 81.2,
    reencoded: ["a", "b"],
  };
  const { quality, reason, measure, score, factor } = chosen;
  expect(detailsOf(servedManifest({ chosen })).chosen).toEqual({
    quality,
    reason,
    measure,
    score,
    factor,
    reencoded: 2,
  });
});

it("ST60: has the PSNR of the finest level with all layers", () => {
  expect(storedPsnr({ quality: { tiles: 4, psnr: [[31, 37.6], [99]] } })).toBe(37.6);
  expect(storedPsnr({ quality: null })).toBeNull();
  const sigma = [[0.6, 0.33], [0.7]];
  expect([0, 1, 2].map((level) => storedSigma({ quality: { tiles: 4, psnr: [], sigma } }, level))).toEqual([
    0.33,
    0.7,
    null,
  ]);
  expect(storedSigma({ quality: { tiles: 4, psnr: [[31]] } })).toBeNull();
});

it("says null of a source without a file, not 0 bytes", () => {
  const served = servedManifest({ source: { name: "array", format: "array", bytes: 0, tile_bytes: null } });
  expect(detailsOf(served).source).toEqual({
    name: "array",
    format: "array",
    bytes: null,
    tileBytes: null,
    fingerprint: null,
  });
});

it("knows nothing of a slide that is still being imported", () => {
  const { bytes, quality, source: none } = detailsOf(null);
  expect([bytes, quality, Object.values(none)]).toEqual([[], null, [null, null, null, null, null]]);
});
