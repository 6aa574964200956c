import { expect, it } from "vitest";
import { Pyramid } from "../geometry/pyramid";
import { Holdings } from "./holdings";
import { FakeService, a } from "./testing";

const layer = (size: number): Uint8Array => new Uint8Array(size);
const holdingsOf = (budget: number): Holdings => new Holdings(new Pyramid(2048, 2048), 3, budget);

it("keeps layers of a block together, in order, and ignores what does not continue them", () => {
  const holdings = holdingsOf(1000);
  holdings.add(a(0, 0, 0, 0), 1, [layer(5)]);
  expect(holdings.held(a(0, 0, 0, 0))).toBe(0);
  holdings.add(a(0, 0, 0, 0), 0, [layer(1)]);
  holdings.add(a(0, 0, 0, 0), 1, [layer(2), layer(3)]);
  expect(holdings.get(a(0, 0, 0, 0)).map((one) => one.length)).toEqual([1, 2, 3]);
  expect(holdings.bytes).toBe(6);
});

it("lets layers wait that come before what they continue, unless that will not come", () => {
  const [one, other] = [a(0, 0, 0, 0), a(0, 0, 1, 0)];
  const holdings = holdingsOf(1000);
  for (const tile of [one, other]) {
    holdings.expect(tile, 1);
    holdings.expect(tile, 3);
    holdings.add(tile, 1, [layer(2), layer(3)]);
    holdings.arrived(tile);
    expect(holdings.held(tile)).toBe(0);
    expect(holdings.heldOrComing(tile)).toBe(3);
  }
  holdings.add(one, 0, [layer(1)]);
  holdings.arrived(one);
  expect(holdings.get(one).map((each) => each.length)).toEqual([1, 2, 3]);
  holdings.expectNoMore(other);
  holdings.add(other, 0, [layer(1)]);
  expect(holdings.held(other)).toBe(1);
  expect(holdings.heldOrComing(other)).toBe(1);
});

it("keeps within its budget by giving up whole blocks", () => {
  const holdings = holdingsOf(100);
  for (let x = 0; x < 4; x += 1) holdings.add(a(0, 0, x, 0), 0, [layer(40)]);
  expect(holdings.bytes).toBeLessThanOrEqual(100);
  expect(holdings.held(a(0, 0, 0, 0))).toBe(0);
  expect(holdings.held(a(0, 0, 3, 0))).toBe(1);
});

it("drops harmed layers and keeps the good ones before them", () => {
  const holdings = holdingsOf(100);
  holdings.add(a(0, 0, 0, 0), 0, [layer(1), layer(1), layer(1)]);
  holdings.harm(a(0, 0, 0, 0), 2, "bad");
  expect(holdings.held(a(0, 0, 0, 0))).toBe(2);
  holdings.harm(a(0, 0, 0, 0), 0, "worse");
  expect(holdings.held(a(0, 0, 0, 0))).toBe(0);
  expect(holdings.harmOf(a(0, 0, 0, 0))).toEqual({ layer: 0, reason: "worse" });
});

it("takes an index that disagrees with the manifest for harmed", async () => {
  const service = new FakeService(new Pyramid(2048, 2048), 2);
  const holdings = holdingsOf(100);
  const ref = { z: 0, c: 0, level: 0, page: 0 };
  holdings.addPage(ref, await service.layerIndexPage(0, 0, 0, 0));
  expect(holdings.harmOf(a(0, 0, 1, 1))?.layer).toBe(0);
});
