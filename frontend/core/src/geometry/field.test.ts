import { describe, expect, it } from "vitest";
import { levelForScale, tilesInRegion } from "./field";
import { Pyramid, keyOf } from "./pyramid";

const pyramid = new Pyramid(2048, 1536);

describe("levelForScale", () => {
  it("draws each level at exactly 1:1 by itself", () => {
    for (let level = 0; level <= pyramid.top; level += 1) expect(levelForScale(pyramid, 1 / 2 ** level)).toBe(level);
  });

  it("never draws a level enlarged when a finer one exists", () => {
    for (let scale = 0.05; scale < 1; scale *= 1.07) {
      const level = levelForScale(pyramid, scale);
      if (level > 0) expect(scale * 2 ** level).toBeLessThanOrEqual(1.001);
    }
  });

  it("stays within the levels there are", () => {
    expect(levelForScale(pyramid, 16)).toBe(0);
    expect(levelForScale(pyramid, 1e-6)).toBe(pyramid.top);
  });
});

describe("tilesInRegion", () => {
  it("finds exactly the tiles that a region touches", () => {
    const found = tilesInRegion(pyramid, 1, 0, { l0_x: 256, l0_y: 50, l0_width: 257, l0_height: 206 });
    expect(found.map(keyOf).sort()).toEqual(["1/0/0/1/0", "1/0/0/2/0"]);
  });

  it("gives the tile at the centre first and the corners last", () => {
    const found = tilesInRegion(pyramid, 0, 0, { l0_x: 0, l0_y: 0, l0_width: 768, l0_height: 768 });
    expect(keyOf(found[0]!)).toBe("0/0/0/1/1");
    expect(found.slice(5).every((a) => a.x !== 1 && a.y !== 1)).toBe(true);
  });

  it("finds nothing beside the slide and no tile beyond its edge", () => {
    expect(tilesInRegion(pyramid, 0, 0, { l0_x: -900, l0_y: 0, l0_width: 900, l0_height: 100 })).toEqual([]);
    const all = tilesInRegion(pyramid, 0, 2, { l0_x: -1e6, l0_y: -1e6, l0_width: 3e6, l0_height: 3e6 });
    expect(all.length).toBe(4);
    expect(all.every((a) => pyramid.contains(a))).toBe(true);
  });

  it("finds, of a turned field, every tile that it touches and few others", () => {
    const region = { l0_x: 700, l0_y: 650, l0_width: 650, l0_height: 150 };
    for (const rotation of [0, 17, 45, 90, 133, 180, 271, 359]) {
      const found = new Set(tilesInRegion(pyramid, 0, 0, region, rotation).map(keyOf));
      const touched = new Set<string>();
      const turn = (-rotation * Math.PI) / 180;
      for (let u = 0.5; u < 130; u += 1) {
        for (let v = 0.5; v < 30; v += 1) {
          const [across, down] = [5 * u - 325, 5 * v - 75];
          const x = Math.floor((1025 + across * Math.cos(turn) - down * Math.sin(turn)) / 256);
          const y = Math.floor((725 + across * Math.sin(turn) + down * Math.cos(turn)) / 256);
          if (x >= 0 && y >= 0 && x < 8 && y < 6) touched.add(`0/0/0/${x}/${y}`);
        }
      }
      for (const key of touched) expect(found, `at ${rotation} degrees`).toContain(key);
      expect(found.size - touched.size, `at ${rotation} degrees`).toBeLessThanOrEqual(1);
    }
  });
});
