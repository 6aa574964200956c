import { describe, expect, it } from "vitest";
import type { LocalPicture } from "./localPicture";
import { TileMaker } from "./tileMaker";

/** Pixels whose red is their column, green their row, blue their level, and what was read of them. */
function pictureOf(levels: LocalPicture["levels"]): LocalPicture & { readonly reads: number[] } {
  const reads: number[] = [];
  return {
    ...levels[0]!,
    levels,
    facts: {},
    reads,
    readRegion: (level, left, top, width, height) => {
      reads.push(level);
      const pixels = new Uint8Array(3 * width * height);
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1) pixels.set([left + x, top + y, level], 3 * (y * width + x));
      return Promise.resolve(pixels);
    },
    close: () => undefined,
  };
}

describe("tiles of a local file", () => {
  it("of a level that the file has are its pixels, unchanged (LI6)", async () => {
    const maker = new TileMaker(
      pictureOf([
        { width: 1000, height: 600 },
        { width: 250, height: 150 },
      ]),
    );
    const tile = await maker.tile({ level: 2, x: 0, y: 0 });
    expect(tile.length).toBe(3 * 250 * 150);
    expect([...tile.slice(3 * 251, 3 * 252)]).toEqual([1, 1, 1]);
  });

  it("of other levels are means of 2 x 2 pixels of the level below, rounded, also at odd sides (LI6)", async () => {
    const picture = pictureOf([{ width: 301, height: 11 }]);
    const maker = new TileMaker(picture);
    const tile = await maker.tile({ level: 1, x: 0, y: 0 });
    expect(tile.length).toBe(3 * 151 * 6);
    expect([...tile.slice(0, 6)]).toEqual([1, 1, 0, 3, 1, 0]);
    expect([...tile.slice(3 * (151 * 5 + 150))]).toEqual([300 & 255, 10, 0]);
    expect(picture.reads.length).toBe(2);
    await maker.tile({ level: 1, x: 0, y: 0 });
    expect(picture.reads.length).toBe(2); // it is cached
  });

  it("repeat the last column and row where the file's level is a pixel smaller (LI6)", async () => {
    const maker = new TileMaker(
      pictureOf([
        { width: 301, height: 201 },
        { width: 150, height: 100 },
      ]),
    );
    const tile = await maker.tile({ level: 1, x: 0, y: 0 });
    expect(tile.length).toBe(3 * 151 * 101);
    expect([...tile.slice(3 * (151 * 101 - 1))]).toEqual([149, 99, 1]);
  });

  it("make whole levels (LI6)", async () => {
    const maker = new TileMaker(pictureOf([{ width: 300, height: 270 }]));
    const whole = await maker.level(0);
    expect([...whole.slice(3 * (300 * 260 + 258), 3 * (300 * 260 + 259))]).toEqual([258 & 255, 260 & 255, 0]);
  });
});
