import { describe, expect, it } from "vitest";
import type { RasterInfo, RasterTile } from "@wavescope/core/overlays/rasterTile";
import { tablesOf } from "@wavescope/core/overlays/style";
import { settingsFor } from "../settings";
import { paintRaster } from "./rasterPainter";

const SIDE = 40;
const raster: RasterInfo = { kind: "labels", width: 6, height: 4, last: 2, labels: [1, 2] };
const tile: RasterTile = { width: 6, height: 4, samples: Uint16Array.from({ length: 24 }, (_, i) => (i % 3) + 0) };
const RED = 0xff0000ff;
const LIME = 0xff00ff00;

function painted(matrix: { a: number; b: number; c: number; d: number; e: number; f: number }): Uint32Array {
  const words = new Uint32Array(SIDE * SIDE);
  const classes = ["FF0000", "00FF00"].map((color) => ({ name: "", color, count: 1 }));
  const style = tablesOf(settingsFor({ classes, raster: null }, true).style);
  const drawn = [{ key: "0/0/0", part: "raster" as const, window: null }];
  const scene = { drawn, matrix, width: SIDE, height: SIDE, ratio: 1, style, density: 1 };
  paintRaster({ words, width: SIDE, height: SIDE }, raster, scene, () => tile);
  return words;
}

describe("the picture of a raster", () => {
  it("OV69: each pixel has the sample in which its middle lies, and nothing lies beyond the raster", () => {
    const words = painted({ a: 5, b: 0, c: 0, d: 5, e: 3, f: 2 });
    for (let y = 0; y < SIDE; y += 1)
      for (let x = 0; x < SIDE; x += 1) {
        const [column, row] = [Math.floor((x + 0.5 - 3) / 5), Math.floor((y + 0.5 - 2) / 5)];
        const isIn = column >= 0 && column < 6 && row >= 0 && row < 4;
        const expected = isIn ? [0, RED, LIME][(row * 6 + column) % 3]! : 0;
        expect(words[y * SIDE + x]).toBe(expected);
      }
  });

  it("OV69: turned by a quarter it is the same picture turned", () => {
    const [plain, turned] = [
      painted({ a: 5, b: 0, c: 0, d: 5, e: 0, f: 0 }),
      painted({ a: 0, b: 5, c: -5, d: 0, e: SIDE, f: 0 }),
    ];
    for (let y = 0; y < SIDE; y += 1)
      for (let x = 0; x < SIDE; x += 1) expect(turned[x * SIDE + (SIDE - 1 - y)]).toBe(plain[y * SIDE + x]);
  });
});
