import { describe, expect, it } from "vitest";
import { gridOf, otsu, tissueMask } from "./tissue";

const grid = { columns: 64, rows: 48, l0_width: 10, l0_height: 10 };
type Rgb = readonly [number, number, number];

function picture(colour: (x: number, y: number) => Rgb): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray(4 * grid.columns * grid.rows);
  for (let i = 0; i < grid.columns * grid.rows; i++)
    rgba.set([...colour(i % grid.columns, Math.floor(i / grid.columns)), 255], 4 * i);
  return rgba;
}

const inside = (x: number, y: number) => (x - 30) ** 2 + (y - 20) ** 2 < 200;
const disc = Array.from({ length: 64 * 48 }, (_, i) => Number(inside(i % 64, Math.floor(i / 64))));

describe("the tissue of a slide (CV1)", () => {
  it.each<[string, Rgb, Rgb, boolean]>([
    ["stained", [200, 120, 180], [243, 242, 244], false],
    ["hardly stained", [225, 205, 220], [240, 240, 240], false],
    ["brown", [150, 110, 70], [235, 235, 230], false],
    ["shining", [0, 60, 10], [3, 3, 3], true],
  ])("is where it is %s", (_, tissue, glass, dark) => {
    const noise = (x: number, y: number) => ((7 * x + 13 * y) % 5) - 2;
    const rgba = picture((x, y) => {
      const [r, g, b] = inside(x, y) ? tissue : glass;
      return [r + noise(x, y), g + noise(y, x), b];
    });
    const mask = tissueMask(grid, rgba, dark);
    expect(Array.from(mask.cells)).toEqual(disc);
    expect(mask.count).toBe(disc.reduce((a, b) => a + b, 0));
  });

  it("is no dust, and nothing where the scanner has no picture", () => {
    const rgba = picture((x, y) => {
      if (x < 8) return [0, 0, 0];
      if (x === 60 && y === 40) return [90, 90, 90];
      return inside(x, y) ? [200, 120, 180] : [243, 242, 244];
    });
    expect(Array.from(tissueMask(grid, rgba, false).cells)).toEqual(disc);
  });

  it("is nothing on glass alone, and everything on a scan without glass", () => {
    expect(
      tissueMask(
        grid,
        picture((x, y) => [240 + ((x + y) % 4), 240, 241]),
        false,
      ).count,
    ).toBe(0);
    const all = picture((x, y) => [140 - ((x * y) % 30), 90 + (x % 20), 130]);
    expect(tissueMask(grid, all, false).count).toBe(64 * 48);
  });
});

it("the grid has 512 cells along the longer side, and none smaller than a pixel (CV1)", () => {
  expect(gridOf({ width: 102400, height: 51200 })).toEqual({ columns: 512, rows: 256, l0_width: 200, l0_height: 200 });
  expect(gridOf({ width: 300, height: 100 })).toEqual({ columns: 300, rows: 100, l0_width: 1, l0_height: 1 });
});

it("Otsu's threshold parts two groups (CV1)", () => {
  const threshold = otsu(Float32Array.from([...Array<number>(90).fill(0.02), ...Array<number>(10).fill(0.5)]));
  expect(threshold).toBeGreaterThan(0.02);
  expect(threshold).toBeLessThan(0.5);
  expect(otsu(new Float32Array(10))).toBe(0);
});
