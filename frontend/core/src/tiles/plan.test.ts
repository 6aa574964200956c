import { describe, expect, it } from "vitest";
import { Pyramid, keyOf } from "../geometry/pyramid";
import { BlockCache } from "./blockCache";
import { availabilityOf, planFetch } from "./plan";
import { FakeService, a } from "./testing";

async function world(change: (service: FakeService) => void = () => undefined) {
  const service = new FakeService(new Pyramid(1024, 1024), 2);
  change(service);
  const blockCache = new BlockCache(service.pyramid, 2, 1 << 20);
  for (const level of [0, 1]) {
    const ref = { z: 0, c: 0, level, page: 0 };
    blockCache.addPage(ref, await service.layerIndexPage(0, 0, level, 0));
  }
  return { service, blockCache };
}

const bytes = (count: number): Uint8Array[] => Array.from({ length: count }, () => new Uint8Array(3));
const tile = a(0, 0, 3, 2);

describe("planFetch", () => {
  it("asks for index pages before it asks for blocks", () => {
    const blockCache = new BlockCache(new Pyramid(1024, 1024), 2, 1 << 20);
    const plan = planFetch([tile], 1, blockCache);
    expect(plan.pages.map(({ level }) => level)).toEqual([1, 0]);
    expect(plan.ranges).toEqual([]);
    expect(plan.approximations).toEqual([{ address: a(0, 2, 0, 0), layer: 0 }]);
  });

  it("asks for blocks at once, and for no page, where the manifest tells which are empty", () => {
    const pyramid = new Pyramid(1024, 1024);
    const occupancy = { plane: 0, ends: [[16], [0, 4]] };
    const blockCache = new BlockCache(pyramid, 2, 1 << 20, occupancy);
    const plan = planFetch([tile], 1, blockCache);
    expect(plan.pages).toEqual([]);
    expect(plan.ranges.map(({ address }) => keyOf(address))).toEqual([keyOf(tile)]);
    expect(planFetch([{ ...tile, z: 1 }], 1, blockCache).pages.length).toBe(2);
  });

  it("asks for the tile and its ancestors, coarse first, each once however many tiles share them", async () => {
    const { blockCache } = await world();
    const plan = planFetch([tile, a(0, 0, 2, 2)], 1, blockCache);
    expect(plan.ranges.map(({ address }) => keyOf(address))).toEqual(["0/0/1/1/1", "0/0/0/3/2", "0/0/0/2/2"]);
    expect(plan.ranges.every(({ from, to }) => from === 0 && to === 1)).toBe(true);
  });

  it("asks for the layer of the first pictures of all before any later layer", async () => {
    const { blockCache } = await world();
    const { ranges } = planFetch([tile, a(0, 0, 2, 2)], 2, blockCache);
    const asked = ranges.map(({ address, from, to }) => `${keyOf(address)} ${from}-${to}`);
    expect(asked).toEqual([
      "0/0/1/1/1 0-1",
      "0/0/0/3/2 0-1",
      "0/0/0/2/2 0-1",
      "0/0/1/1/1 1-2",
      "0/0/0/3/2 1-2",
      "0/0/0/2/2 1-2",
    ]);
  });

  it("asks for what makes the tiles sharp tile by tile, and for what goes beyond at last", async () => {
    const { blockCache } = await world();
    const asked = (sharp: number): string[] =>
      planFetch([tile, a(0, 0, 0, 0)], 2, blockCache, sharp)
        .ranges.filter(({ from }) => from === 1)
        .map(({ address }) => keyOf(address));
    expect(asked(2)).toEqual(["0/0/0/3/2", "0/0/1/1/1", "0/0/0/0/0", "0/0/1/0/0"]);
    expect(asked(1)).toEqual(["0/0/1/1/1", "0/0/1/0/0", "0/0/0/3/2", "0/0/0/0/0"]);
  });

  it("asks only for layers that are neither held nor on their way", async () => {
    const { blockCache } = await world();
    blockCache.add(a(0, 1, 1, 1), 0, bytes(1));
    blockCache.add(tile, 0, bytes(2));
    blockCache.expect(a(0, 2, 0, 0), 1);
    const plan = planFetch([tile], 2, blockCache);
    expect(plan.ranges).toEqual([{ address: a(0, 1, 1, 1), from: 1, to: 2 }]);
    expect(plan.approximations).toEqual([{ address: a(0, 2, 0, 0), layer: 1 }]);
  });

  it("asks for later layers only when no first picture's layer is on its way from an earlier batch", async () => {
    const { blockCache } = await world();
    blockCache.add(a(0, 1, 1, 1), 0, bytes(1));
    blockCache.expect(tile, 1);
    expect(planFetch([tile, a(0, 0, 2, 2)], 2, blockCache).ranges).toEqual([
      { address: a(0, 0, 2, 2), from: 0, to: 1 },
    ]);
    blockCache.add(tile, 0, bytes(1));
    blockCache.arrived(tile);
    const asked = planFetch([tile], 2, blockCache).ranges.map(
      ({ address, from, to }) => `${keyOf(address)} ${from}-${to}`,
    );
    expect(asked).toEqual(["0/0/1/1/1 1-2", "0/0/0/3/2 1-2"]);
  });

  it("never asks for a block that the index calls empty", async () => {
    const { blockCache } = await world((service) => service.empty.add(keyOf(tile)));
    expect(planFetch([tile], 1, blockCache).ranges.map(({ address }) => keyOf(address))).toEqual(["0/0/1/1/1"]);
  });

  it("never asks for what is known to be corrupt", async () => {
    const { blockCache } = await world();
    blockCache.markCorrupt(tile, 1, "bad");
    blockCache.markCorrupt(a(0, 1, 1, 1), 0, "worse");
    expect(planFetch([tile], 2, blockCache).ranges).toEqual([{ address: tile, from: 0, to: 1 }]);
  });

  it("asks for a slide of one tile nothing but its approximation", () => {
    const blockCache = new BlockCache(new Pyramid(200, 100), 2, 1 << 20);
    const plan = planFetch([a(0, 0, 0, 0)], 2, blockCache);
    expect(plan).toMatchObject({ pages: [], ranges: [] });
    expect(plan.approximations.map(({ layer }) => layer)).toEqual([0, 1]);
  });
});

describe("availabilityOf", () => {
  it("is the least of the whole chain", async () => {
    const { blockCache } = await world();
    blockCache.add(a(0, 2, 0, 0), 0, bytes(2));
    blockCache.add(a(0, 1, 1, 1), 0, bytes(1));
    expect(availabilityOf(tile, blockCache).layers).toBe(0);
    blockCache.add(tile, 0, bytes(2));
    expect(availabilityOf(tile, blockCache)).toEqual({ layers: 1, attainable: 2, reason: null });
  });

  it("does not wait for layers of empty blocks", async () => {
    const { blockCache } = await world((service) => service.empty.add(keyOf(tile)).add("0/0/1/1/1"));
    blockCache.add(a(0, 2, 0, 0), 0, bytes(2));
    expect(availabilityOf(tile, blockCache).layers).toBe(2);
  });

  it("says what can still be had when something in the chain is corrupt, and why", async () => {
    const { blockCache } = await world();
    for (const one of [a(0, 2, 0, 0), a(0, 1, 1, 1), tile]) blockCache.add(one, 0, bytes(2));
    blockCache.markCorrupt(a(0, 1, 1, 1), 1, "a flipped bit");
    expect(availabilityOf(tile, blockCache)).toEqual({ layers: 1, attainable: 1, reason: "a flipped bit" });
    expect(availabilityOf(a(0, 0, 0, 0), blockCache).attainable).toBe(2);
  });

  it("takes all blocks of a corrupt index page for corrupt, and other levels for whole", () => {
    const blockCache = new BlockCache(new Pyramid(1024, 1024), 2, 1 << 20);
    blockCache.markPageCorrupt({ z: 0, c: 0, level: 0, page: 0 }, "checksum");
    expect(availabilityOf(tile, blockCache)).toMatchObject({ attainable: 0, reason: "checksum" });
    expect(availabilityOf(a(0, 1, 1, 1), blockCache).attainable).toBe(2);
  });
});
