import { describe, expect, it } from "vitest";
import { Pyramid, keyOf } from "../../geometry/pyramid";
import { fakeLayer } from "../../wire/testing";
import { BlockCache } from "../blockCache";
import { a } from "../testing";
import { planView } from "./pushView";

const FIELD = [a(0, 0, 1, 1), a(0, 0, 2, 1)];

const cacheOf = (size = 1024) => new BlockCache(new Pyramid(size, size), 3, 1 << 20);

describe("planView", () => {
  it("states what is here of the region and its ancestors, row by row (WI116)", () => {
    const cache = cacheOf();
    cache.add(FIELD[1]!, 0, [fakeLayer(0, 20)]);
    const planned = planView({ tiles: FIELD, layers: 3 }, [0, 0], cache)!;
    expect(planned.view).toMatchObject({ level: 0, region: [1, 1, 2, 1], field: [1, 1, 2, 1], centre: [2, 1.5] });
    expect(planned.blocks.map(keyOf)).toEqual(["0/0/0/1/1", "0/0/0/2/1", "0/0/1/0/0", "0/0/1/1/0"]);
    expect(planned.view.held).toBe("0100");
    expect([...planned.expected].map(([key, { to }]) => `${key} ${to}`)).toEqual([
      "0/0/0/1/1 3",
      "0/0/0/2/1 3",
      "0/0/1/0/0 3",
      "0/0/1/1/0 3",
    ]);
  });

  it("does not want what lies outside, is on its way or is corrupt (WI116)", () => {
    const cache = cacheOf();
    const [first, second] = [a(0, 0, 0, 0), a(0, 0, 1, 1)];
    cache.expect(first, 1);
    cache.markCorrupt(a(0, 1, 0, 0), 0, "corrupt");
    const planned = planView({ tiles: [first, second], layers: 1 }, [0, 0], cache)!;
    expect(planned.view.held).toBe("---0-"); // on its way, outside, outside, wanted; the ancestor is corrupt
    expect([...planned.expected.keys()]).toEqual([keyOf(second)]);
  });

  it("wants the first layer of the field that the motion points to (WI117)", () => {
    const planned = planView({ tiles: [a(0, 0, 1, 1)], layers: 3 }, [5, 0], cacheOf())!;
    expect(planned.view).toMatchObject({ region: [1, 1, 2, 1], field: [1, 1, 1, 1] });
    expect(planned.expected.get("0/0/0/2/1")?.to).toBe(1);
    expect(planned.expected.get("0/0/0/1/1")?.to).toBe(3);
  });

  it("has nothing to say of level L, of no tiles, and of too many", () => {
    const cache = cacheOf(1 << 17);
    expect(planView({ tiles: [], layers: 1 }, [0, 0], cache)).toBeNull();
    expect(planView({ tiles: [a(0, cache.pyramid.top, 0, 0)], layers: 1 }, [0, 0], cache)).toBeNull();
    expect(planView({ tiles: [a(0, 0, 0, 0), a(0, 0, 63, 63)], layers: 1 }, [0, 0], cache)).toBeNull();
  });
});
