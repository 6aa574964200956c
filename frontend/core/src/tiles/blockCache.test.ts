import { expect, it } from "vitest";
import { Pyramid } from "../geometry/pyramid";
import { BlockCache } from "./blockCache";
import { FakeService, a } from "./testing";

const layer = (size: number): Uint8Array => new Uint8Array(size);
const cacheOf = (budget: number): BlockCache => new BlockCache(new Pyramid(2048, 2048), 3, budget);

it("keeps layers of a block together, in order, and ignores what does not continue them", () => {
  const blockCache = cacheOf(1000);
  blockCache.add(a(0, 0, 0, 0), 1, [layer(5)]);
  expect(blockCache.cachedLayers(a(0, 0, 0, 0))).toBe(0);
  blockCache.add(a(0, 0, 0, 0), 0, [layer(1)]);
  blockCache.add(a(0, 0, 0, 0), 1, [layer(2), layer(3)]);
  expect(blockCache.get(a(0, 0, 0, 0)).map((one) => one.length)).toEqual([1, 2, 3]);
  expect(blockCache.bytes).toBe(6);
});

it("lets layers wait that come before what they continue, unless that will not come", () => {
  const [one, other] = [a(0, 0, 0, 0), a(0, 0, 1, 0)];
  const blockCache = cacheOf(1000);
  for (const tile of [one, other]) {
    blockCache.expect(tile, 1);
    blockCache.expect(tile, 3);
    blockCache.add(tile, 1, [layer(2), layer(3)]);
    blockCache.arrived(tile);
    expect(blockCache.cachedLayers(tile)).toBe(0);
    expect(blockCache.cachedOrPending(tile)).toBe(3);
  }
  blockCache.add(one, 0, [layer(1)]);
  blockCache.arrived(one);
  expect(blockCache.get(one).map((each) => each.length)).toEqual([1, 2, 3]);
  blockCache.expectNoMore(other);
  blockCache.add(other, 0, [layer(1)]);
  expect(blockCache.cachedLayers(other)).toBe(1);
  expect(blockCache.cachedOrPending(other)).toBe(1);
});

it("lets layers of several answers wait, whatever their order", () => {
  const blockCache = cacheOf(1000);
  const tile = a(0, 0, 0, 0);
  blockCache.expect(tile, 3);
  for (const from of [2, 1, 0]) {
    blockCache.add(tile, from, [layer(from + 1)]);
    blockCache.arrived(tile);
  }
  expect(blockCache.get(tile).map((each) => each.length)).toEqual([1, 2, 3]);
});

it("keeps within its budget by giving up whole blocks", () => {
  const blockCache = cacheOf(100);
  for (let x = 0; x < 4; x += 1) blockCache.add(a(0, 0, x, 0), 0, [layer(40)]);
  expect(blockCache.bytes).toBeLessThanOrEqual(100);
  expect(blockCache.cachedLayers(a(0, 0, 0, 0))).toBe(0);
  expect(blockCache.cachedLayers(a(0, 0, 3, 0))).toBe(1);
});

it("drops corrupt layers and keeps the good ones before them", () => {
  const blockCache = cacheOf(100);
  blockCache.add(a(0, 0, 0, 0), 0, [layer(1), layer(1), layer(1)]);
  blockCache.markCorrupt(a(0, 0, 0, 0), 2, "bad");
  expect(blockCache.cachedLayers(a(0, 0, 0, 0))).toBe(2);
  blockCache.markCorrupt(a(0, 0, 0, 0), 0, "worse");
  expect(blockCache.cachedLayers(a(0, 0, 0, 0))).toBe(0);
  expect(blockCache.corruptionOf(a(0, 0, 0, 0))).toEqual({ layer: 0, reason: "worse" });
});

it("takes an index that disagrees with the manifest for corrupt", async () => {
  const service = new FakeService(new Pyramid(2048, 2048), 2);
  const blockCache = cacheOf(100);
  const ref = { z: 0, c: 0, level: 0, page: 0 };
  blockCache.addPage(ref, await service.layerIndexPage(0, 0, 0, 0));
  expect(blockCache.corruptionOf(a(0, 0, 1, 1))?.layer).toBe(0);
});
