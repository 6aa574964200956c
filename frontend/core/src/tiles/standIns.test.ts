import { describe, expect, it } from "vitest";
import { keyOf } from "../geometry/pyramid";
import { standInFor } from "./standIns";
import { a } from "./testing";

describe("standInFor", () => {
  const given = (...keys: string[]) => {
    const here = new Set(keys);
    return (tile: ReturnType<typeof a>) => ({
      layers: here.has(keyOf(tile)) ? 1 : 0,
      attainable: 1,
      reason: null,
    });
  };

  it("is the finest ancestor of which there is a layer", () => {
    const tile = a(2, 0, 5, 6);
    expect(standInFor(tile, 3, given("2/0/1/2/3", "2/0/2/1/1", "2/0/3/0/0"))).toEqual(a(2, 1, 2, 3));
    expect(standInFor(tile, 3, given("2/0/2/1/1", "2/0/3/0/0"))).toEqual(a(2, 2, 1, 1));
    expect(standInFor(tile, 3, given("2/0/3/0/0"))).toEqual(a(2, 3, 0, 0));
  });

  it("is never the tile itself, a tile of another plane, or one that does not cover it", () => {
    const tile = a(0, 0, 5, 6);
    expect(standInFor(tile, 3, given("0/0/0/5/6", "1/0/1/2/3", "0/0/1/3/3"))).toBeNull();
  });

  it("does not exist for the top tile", () => {
    expect(standInFor(a(0, 3, 0, 0), 3, given("0/0/3/0/0"))).toBeNull();
  });
});
