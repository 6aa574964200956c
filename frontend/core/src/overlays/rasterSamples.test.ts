import { describe, expect, it } from "vitest";
import { drawnRaster, planRasterView } from "./rasterPlan";
import { colourOfLabel, coloursOf, rasterAt, rasterHistogram } from "./rasterSamples";
import type { RasterInfo, RasterTile } from "./rasterTile";
import { type Style, tablesOf } from "./style";

const style: Style = {
  hidden: new Set(),
  colors: ["FF0000", "00FF00"],
  byScore: true,
  map: "grey",
  from: 0,
  to: 255,
  least: 0,
  most: 255,
  fill: 0.2,
};
const heat: RasterInfo = { kind: "values", width: 1000, height: 600, last: 65_535, labels: [] };
const mask: RasterInfo = { kind: "labels", width: 1000, height: 600, last: 9, labels: [3, 7] };
const tile = (width: number, height: number, fill: number): RasterTile => ({
  width,
  height,
  samples: new Uint16Array(width * height).fill(fill),
});
const whole = { minX: 0, minY: 0, maxX: 1000, maxY: 600 };

describe("samples of rasters", () => {
  it("OV70: values have the colours of the map, and none beyond the threshold", () => {
    const colours = coloursOf(heat, tablesOf({ ...style, least: 128 }));
    expect(colours[0]).toBe(0);
    expect(colours[1]).toBe(0);
    expect(colours[65_535]).toBe(0xffffffff);
    expect(colours.filter((colour) => colour !== 0)).toHaveLength(65_535 - Math.ceil((128 * 65_534) / 255));
  });

  it("OV70: labels have the colours of their classes, hidden ones none, and others a colour of their own", () => {
    const colours = coloursOf(mask, tablesOf({ ...style, byScore: false, hidden: new Set([1]) }));
    expect([colours[3], colours[7], colours[5]]).toEqual([0xff0000ff, 0, 0]);
    const many = coloursOf({ ...mask, last: 65_535, labels: [] }, tablesOf({ ...style, byScore: false }));
    expect(many[500]).toBe((0xff000000 | colourOfLabel(500)) >>> 0);
    expect(new Set(many).size).toBeGreaterThan(1000);
  });

  it("OV69: a view takes the finest level whose pixels are more than half a device pixel wide", () => {
    const at = (scale: number) => planRasterView(heat, whole, scale);
    expect([at(8), at(1), at(0.5), at(0.3), at(0.01)].map(({ level }) => level)).toEqual([0, 0, 1, 1, 1]);
    expect(at(1).tiles).toHaveLength(4);
    expect(planRasterView(heat, { minX: 600, minY: 10, maxX: 700, maxY: 20 }, 1).tiles).toEqual([
      { level: 0, x: 1, y: 0 },
    ]);
  });

  describe("OV74: a view that would take more than 300 kB", () => {
    const noise: RasterInfo = { ...heat, width: 8192, height: 8192, bytes: [134e6, 33e6, 8e6, 2e6, 5e5] };
    const view = { minX: 2100, minY: 2100, maxX: 4020, maxY: 3180 };

    it("has the finest level that takes less, or that has four tiles", () => {
      expect(planRasterView(noise, view, 1)).toMatchObject({ level: 1, tiles: { length: 4 } });
      expect(planRasterView({ ...noise, bytes: [1e6, 3e5, 9e4, 3e4, 9e3] }, view, 1).level).toBe(0);
      expect(planRasterView({ ...noise, bytes: [14e6, 1e6, 3e5, 9e4, 3e4] }, view, 1).level).toBe(1);
      expect(planRasterView({ ...noise, bytes: null }, view, 1).level).toBe(0);
      const few = { minX: 2100, minY: 2100, maxX: 2600, maxY: 2600 };
      expect(planRasterView(noise, few, 4)).toMatchObject({ level: 0, tiles: { length: 4 } });
    });

    it("keeps its level until a finer one takes less than 80 % of that", () => {
      const near = { ...noise, bytes: [6e6, 1e6, 3e5, 9e4, 3e4] };
      expect([null, 0, 1].map((before) => planRasterView(near, view, 1, before).level)).toEqual([0, 0, 1]);
    });
  });

  it("OV69: the part of a coarser tile is shown until a tile is here; nothing in place of what is not stored", () => {
    const states: Record<string, "here" | "empty"> = { "1/0/0": "here", "0/0/0": "here", "0/1/1": "empty" };
    const drawn = drawnRaster(planRasterView(heat, whole, 1), 1, (key) => states[key] ?? "missing");
    expect(drawn.map(({ key, window }) => [key, window?.minX, window?.minY]).toSorted()).toEqual([
      ["0/0/0", undefined, undefined],
      ["1/0/0", 0, 512],
      ["1/0/0", 512, 0],
    ]);
  });

  it("OV72: tells the sample at a point, of what is shown", () => {
    const tiles: Record<string, RasterTile> = { "0/0/0": tile(512, 512, 3), "1/0/0": tile(500, 300, 7) };
    tiles["0/0/0"]!.samples[5 * 512 + 2] = 0;
    const drawn = [
      { key: "0/0/0", part: "raster" as const, window: null },
      { key: "1/0/0", part: "raster" as const, window: { minX: 512, minY: 0, maxX: 1024, maxY: 512 } },
    ];
    const at = (x: number, y: number, hidden: number[] = []) =>
      rasterAt(mask, drawn, (key) => tiles[key], [x, y], tablesOf({ ...style, hidden: new Set(hidden) }));
    expect(at(2.5, 4.9)).toEqual({ kind: "sample", sample: 3, of: 0, level: 0 });
    expect(at(2.5, 5.1)).toBeNull();
    expect(at(600, 10)).toEqual({ kind: "sample", sample: 7, of: 1, level: 1 });
    expect(at(600, 10, [1])).toBeNull();
    expect(at(600, 590)).toBeNull();
    expect(at(-1, 10)).toBeNull();
  });

  it("OV47: a histogram has the values of what is drawn, without those that are none", () => {
    const drawn = [{ key: "0/0/0", part: "raster" as const, window: null }];
    const values = { width: 2, height: 2, samples: new Uint16Array([0, 1, 65_535, 65_535]) };
    const bins = rasterHistogram(heat, drawn, () => values)!;
    expect([bins[0], bins[255], bins.reduce((sum, count) => sum + count, 0)]).toEqual([1, 2, 3]);
    expect(rasterHistogram(mask, drawn, () => values)).toBeNull();
    expect(rasterHistogram(heat, drawn, () => undefined)).toBeNull();
  });
});
