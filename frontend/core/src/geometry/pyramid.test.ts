import { describe, expect, it } from "vitest";
import { Pyramid, address, keyOf, parentOf, quadrantOf, sameAddress } from "./pyramid";

describe("Pyramid", () => {
  it.each([
    [1, 0],
    [2, 0],
    [255, 0],
    [256, 0],
    [257, 1],
    [512, 1],
    [513, 2],
    [100_000, 9],
  ])("a slide of side %i has its top at level %i", (side, top) => {
    expect(new Pyramid(side, 1).top).toBe(top);
    expect(new Pyramid(1, side).top).toBe(top);
  });

  it("rounds the sides of each level up", () => {
    const pyramid = new Pyramid(513, 257);
    expect(pyramid.levelSize(1)).toEqual({ width: 257, height: 129 });
    expect(pyramid.levelSize(2)).toEqual({ width: 129, height: 65 });
  });

  it("cuts the tiles at the right and bottom edge to the slide", () => {
    const pyramid = new Pyramid(513, 257);
    expect(pyramid.tiles(0)).toEqual({ columns: 3, rows: 2 });
    expect(pyramid.tileSize(0, 2, 1)).toEqual({ width: 1, height: 1 });
    expect(pyramid.tileSize(0, 1, 0)).toEqual({ width: 256, height: 256 });
  });

  it("halves a level's size exactly as often as dividing level 0 would", () => {
    for (const side of [1, 2, 255, 257, 4097, 99_999]) {
      const pyramid = new Pyramid(side, side);
      let halved = side;
      for (let level = 0; level <= pyramid.top; level += 1) {
        expect(pyramid.levelSize(level).width).toBe(halved);
        halved = Math.ceil(halved / 2);
      }
    }
  });

  it("chains a tile to the top through the quadrants of its ancestors", () => {
    const pyramid = new Pyramid(2048, 2048);
    const chain = pyramid.chain(address(2, 0, 5, 6));
    expect(chain.map(keyOf)).toEqual(["2/0/0/5/6", "2/0/1/2/3", "2/0/2/1/1", "2/0/3/0/0"]);
    expect(chain.map(quadrantOf)).toEqual([
      [1, 0],
      [0, 1],
      [1, 1],
      [0, 0],
    ]);
    expect(sameAddress(parentOf(chain[0]!), chain[1]!)).toBe(true);
  });

  it("contains exactly the tiles of its levels", () => {
    const pyramid = new Pyramid(513, 257);
    expect(pyramid.contains(address(0, 0, 2, 1))).toBe(true);
    for (const outside of [address(0, 0, 3, 0), address(0, 0, 0, 2), address(0, 3, 0, 0), address(0, 0, -1, 0)]) {
      expect(pyramid.contains(outside)).toBe(false);
    }
  });
});
