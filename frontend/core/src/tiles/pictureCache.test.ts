import { describe, expect, it } from "vitest";
import { Pyramid } from "../geometry/pyramid";
import type { TileHandle } from "./handle";
import { PictureCache } from "./pictureCache";
import { fakeBitmap } from "./testing";

const TILE_BYTES = 256 * 256 * 4;
const nothing = (): boolean => false;

/** A cache for `tiles` pictures; an evicted tile is deleted, as the viewer does it. */
function cacheOf(tiles: number) {
  const evicted: string[] = [];
  const cache: PictureCache = new PictureCache(new Pyramid(4096, 4096), tiles * TILE_BYTES, (handle) => {
    evicted.push(handle.key);
    cache.delete(handle);
  });
  const show = (level: number, x: number, y: number): TileHandle => {
    const handle = cache.get(level, x, y);
    cache.touch(handle);
    handle.show({ bitmap: fakeBitmap(), z: 0, layers: 1 });
    return handle;
  };
  return { cache, evicted, show };
}

describe("PictureCache", () => {
  it("gives one handle per tile, with the size of its part of the slide", () => {
    const cache = new PictureCache(new Pyramid(300, 250), 1, nothing);
    const handle = cache.get(0, 1, 0);
    expect(cache.get(0, 1, 0)).toBe(handle);
    expect(cache.peek(0, 0, 0)).toBeUndefined();
    expect(handle.size).toEqual({ width: 44, height: 250 });
    expect([...cache.tiles.keys()]).toEqual(["0/1/0"]);
  });

  it("evicts nothing within the budget, and what was out of view longest beyond it", () => {
    const { cache, evicted, show } = cacheOf(3);
    for (let x = 0; x < 3; x += 1) {
      cache.nextView();
      show(0, x, 0);
      cache.shrink(nothing);
    }
    expect(evicted).toEqual([]);
    cache.nextView();
    cache.touch(cache.get(0, 0, 0)); // seen again
    show(0, 3, 0);
    show(0, 4, 0);
    cache.shrink(nothing);
    expect(evicted).toEqual(["0/1/0", "0/2/0"]);
    expect(cache.bytes).toBe(3 * TILE_BYTES);
  });

  it("evicts neither what is needed nor the two coarsest levels, even beyond the budget", () => {
    const { cache, evicted, show } = cacheOf(1);
    show(4, 0, 0);
    show(3, 1, 1);
    show(2, 0, 0);
    show(0, 5, 5);
    cache.shrink(({ key }) => key === "0/5/5");
    expect(evicted).toEqual(["2/0/0"]);
    expect(cache.bytes).toBe(3 * TILE_BYTES);
  });

  it("passes over tiles without a picture: they cost nothing", () => {
    const { cache, evicted, show } = cacheOf(1);
    cache.get(0, 9, 9);
    cache.nextView();
    show(0, 0, 0);
    cache.nextView();
    show(0, 1, 0);
    cache.shrink(nothing);
    expect(evicted).toEqual(["0/0/0"]);
    expect(cache.peek(0, 9, 9)).toBeDefined();
  });

  it("closes the picture of a deleted tile, and knows its handle no more", () => {
    const { cache, show } = cacheOf(1);
    const handle = show(0, 0, 0);
    const { bitmap } = handle.picture!;
    cache.delete(handle);
    expect((bitmap as ReturnType<typeof fakeBitmap>).closed).toBe(true);
    expect([cache.has(handle), cache.bytes, handle.picture]).toEqual([false, 0, null]);
    expect(cache.get(0, 0, 0)).not.toBe(handle);
    expect(cache.has(handle)).toBe(false);
  });

  it("evicts all but what is named, with and without a picture", () => {
    const { cache, evicted, show } = cacheOf(9);
    show(0, 0, 0);
    show(4, 0, 0);
    cache.get(0, 1, 0);
    cache.evictAllBut(({ level }) => level === 4);
    expect(evicted).toEqual(["0/0/0", "0/1/0"]);
    expect([...cache.tiles.keys()]).toEqual(["4/0/0"]);
  });

  it("closes all pictures when it is cleared", () => {
    const { cache, show } = cacheOf(9);
    const bitmaps = [show(0, 0, 0), show(1, 0, 0)].map(
      ({ picture }) => picture!.bitmap as ReturnType<typeof fakeBitmap>,
    );
    cache.clear();
    expect(bitmaps.map(({ closed }) => closed)).toEqual([true, true]);
    expect(cache.tiles.size).toBe(0);
  });
});
