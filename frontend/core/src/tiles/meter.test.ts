import { expect, it } from "vitest";
import { Meter } from "./meter";
import { a } from "./testing";

it("keeps a line per block range, page, approximation layer and pixel tile, and the totals", () => {
  const meter = new Meter();
  const base = "/api/v1/slides/s/v/0f";
  meter.requested(`${base}/layer-index/0/0/1/2`);
  meter.requested(`${base}/approximation/1/0?from=1&to=2`);
  meter.requested(`${base}/blocks:batch`);
  meter.requestedBlocks([{ address: a(0, 1, 2, 3), from: 0, to: 1 }]);
  meter.requested(`${base}/tiles/0/1/2/3.png?layers=2`);
  meter.received(40);
  meter.received(2);
  const counters = meter.counters();
  expect(counters).toMatchObject({ requests: 4, batches: 1, blocks: 1, bytes: 42, pixelTiles: 1 });
  expect(counters.log).toEqual([
    "index 0/0/1/2",
    "approximation 1/0 1",
    "block 0/0/1/2/3 0-1",
    "tile 0/1/2/3.png?layers=2",
  ]);
});

it("tells what came when, and for how many tiles nothing had to be fetched", () => {
  let now = 1000;
  const meter = new Meter(undefined, () => now);
  meter.received(10);
  meter.cameIntoView(4, 1);
  now = 3500;
  meter.received(7);
  meter.cameIntoView(0, 0);
  expect(meter.history().slice(-3)).toEqual([
    { bytes: 10, entered: 4, cached: 1 },
    { bytes: 0, entered: 0, cached: 0 },
    { bytes: 7, entered: 0, cached: 0 },
  ]);
  expect(meter.counters()).toMatchObject({ entered: 4, cached: 1 });
});

it("weighs each tile shown once", () => {
  const meter = new Meter();
  meter.drew(a(0, 0, 1, 1), 100);
  meter.drew(a(0, 0, 1, 1), 100);
  meter.drew(a(1, 0, 1, 1), 100);
  expect(meter.totals()).toEqual({ bytes: 0, rawBytes: 200 });
  meter.reset();
  expect(meter.totals()).toEqual({ bytes: 0, rawBytes: 0 });
});
