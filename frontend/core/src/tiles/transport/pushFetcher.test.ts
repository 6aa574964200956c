import { describe, expect, it, vi } from "vitest";
import type { DecodePool } from "../../codec/pool";
import { type Address, Pyramid } from "../../geometry/pyramid";
import { stub } from "../../stub";
import { FakePush, fakeLayer, pushMessage, testManifest } from "../../wire/testing";
import { PushClient } from "../../wire/slides/pushClient";
import { BlockCache } from "../blockCache";
import { Meter } from "../meter";
import { FakeService, a, fakeBitmap, settle } from "../testing";
import { WaveletPictures } from "../waveletPictures";
import { Link } from "./link";

const FIELD = [a(0, 0, 1, 1), a(0, 0, 2, 1)];
const NEXT = [a(0, 0, 1, 2), a(0, 0, 2, 2)];
const COMPLETE = 0xffffffff;

/** A slide on a slow link whose index pages are here. */
async function world(response = 100) {
  const one = await prepared(response);
  one.pictures.fetch({ tiles: [], layers: 1 }); // loads the code of push
  await vi.dynamicImportSettled();
  return one;
}

async function prepared(response: number, forced: "push" | null = null) {
  const push = new FakePush();
  const service = new FakeService(new Pyramid(1024, 1024), 2);
  const link = new Link(
    () => forced,
    () => push.time,
  );
  link.measured("batch", { response, transfer: 1000, bytes: 100_000, at: push.time });
  vi.spyOn(link, "measured").mockImplementation(() => undefined); // the fake service answers in no time
  const pool = stub<DecodePool>({
    bitmap: () => Promise.resolve(fakeBitmap()),
    reprioritise: () => undefined,
    close: () => undefined,
  });
  const blockCache = new BlockCache(service.pyramid, 2, 1 << 20);
  for (const level of [0, 1]) {
    const page = await service.layerIndexPage(0, 0, level, 0);
    blockCache.addPage({ z: 0, c: 0, level, page: 0 }, page);
  }
  blockCache.add(a(0, 2, 0, 0), 0, [fakeLayer(0, 13), fakeLayer(1, 14)]);
  const events = { changed: vi.fn(), offline: vi.fn(), stale: vi.fn() };
  const meter = new Meter();
  const manifest = testManifest({ width: 1024, height: 1024, layers: 2 });
  const pictures = new WaveletPictures({
    ...{ manifest, client: service, blockCache, pool, workers: 1, meter, events, link },
    push: (measures, events) => new PushClient(push.ports, measures, events),
    clock: push.ports,
  });
  return { push, service, link, blockCache, events, meter, pictures };
}

/** The connection is open and has brought something before, and the field was pushed but for the last `left` blocks. */
async function pushed(left = 0) {
  const one = await world();
  one.pictures.fetch({ tiles: [a(0, 0, 3, 3)], layers: 1 });
  one.push.socket.onopen?.();
  one.push.socket.onmessage?.(pushMessage({ view: 0, from: 0, to: 0, index: COMPLETE }));
  await settle();
  one.push.pass(20_000); // so that it is no motion
  one.pictures.fetch({ tiles: FIELD, layers: 1 });
  const keys = sentKeys(one.push);
  for (const index of keys.keys()) if (index < keys.length - left) receive(one.push, index);
  await settle();
  return one;
}

function sentKeys(push: FakePush): string[] {
  return Array.from(push.ofType("view").at(-1)!.held as string);
}

function receive(push: FakePush, index: number, from = 0, to = 1): void {
  const view = push.ofType("view").at(-1)!.number as number;
  const layers = Array.from({ length: to - from }, (_, i) => [...fakeLayer(from + i, 13 + from + i)]).flat();
  push.socket.onmessage?.(pushMessage({ view, from, to, index }, Uint8Array.from(layers)));
}

const complete = (push: FakePush): void =>
  push.socket.onmessage?.(
    pushMessage({ view: push.ofType("view").at(-1)!.number as number, from: 0, to: 0, index: COMPLETE }),
  );

const cached = (cache: BlockCache, tiles: readonly Address[]): number[] =>
  tiles.map((tile) => cache.cachedLayers(tile));

describe("a field on a slow link (WI122)", () => {
  it("comes in a batch while the connection opens, and the next one by push; nothing is fetched twice", async () => {
    const { push, service, pictures, blockCache, meter } = await pushed();
    expect(service.batches.length).toBe(1);
    expect(cached(blockCache, FIELD)).toEqual([1, 1]);
    complete(push);
    await settle();
    expect(service.batches.length).toBe(1);
    expect(pictures.availability(FIELD[0]!).layers).toBe(1);
    expect(meter.sums().pushedBlocks).toBe(4);
    const log = meter.counters().log.filter((line) => line.startsWith("block"));
    expect(new Set(log).size).toBe(log.length);
  });

  it("is no matter of push where batches respond fast", async () => {
    const { push, service, pictures } = await world(10);
    pictures.fetch({ tiles: FIELD, layers: 1 });
    await settle();
    expect([push.sockets.length, service.batches.length]).toEqual([0, 1]);
  });

  it.each([
    ["at rest", 2000],
    ["where the slide was only just opened", 100],
  ])("comes in a batch %s, and by push in motion, as long as the connection has brought nothing", async (_, pause) => {
    const { push, service, pictures } = await world();
    pictures.fetch({ tiles: [a(0, 0, 3, 3)], layers: 1 });
    push.socket.onopen?.();
    await settle();
    push.pass(pause);
    pictures.fetch({ tiles: FIELD, layers: 1 });
    await settle();
    expect([push.ofType("view").length, service.batches.length]).toEqual([0, 2]);
    push.pass(500);
    pictures.fetch({ tiles: NEXT, layers: 1 });
    await settle();
    expect([push.ofType("view").length, service.batches.length]).toEqual([1, 2]);
  });

  it("replaces the one before at once; blocks that still come are taken (WI118)", async () => {
    const { push, service, pictures, blockCache } = await pushed(3);
    pictures.fetch({ tiles: NEXT, layers: 1 });
    expect(push.ofType("view").length).toBe(2);
    expect(push.ofType("view")[1]!.bytes).toBe(53); // one block that the cache has, and what came before
    expect(blockCache.cachedOrPending(FIELD[1]!)).toBe(0);
    expect(blockCache.cachedOrPending(NEXT[0]!)).toBe(1);
    push.socket.onmessage?.(pushMessage({ view: 1, index: 1 }, Uint8Array.from(fakeLayer(0, 13))));
    await settle();
    expect(cached(blockCache, FIELD)).toEqual([1, 1]);
    expect(service.batches.length).toBe(1);
  });

  it("gets what push left out in a batch (WI123)", async () => {
    const { push, service } = await pushed(1);
    complete(push);
    await settle();
    expect(service.batches.slice(1).map((ranges) => ranges.length)).toEqual([1]);
  });
});

describe("the end of a connection (WI123)", () => {
  it.each<[string, (push: FakePush) => void]>([
    ["lost", (push) => push.socket.onclose?.(1006)],
    ["silent", (push) => push.pass(2500)],
    ["broken", (push) => push.socket.onmessage?.(new ArrayBuffer(3))],
  ])("%s: the rest comes in a batch at once, and so does the next field", async (_, end) => {
    const { push, service, pictures, blockCache } = await pushed(2);
    end(push);
    await settle();
    expect(service.batches.slice(1).map((ranges) => ranges.length)).toEqual([2]);
    expect(cached(blockCache, FIELD)).toEqual([1, 1]);
    pictures.fetch({ tiles: NEXT, layers: 1 });
    await settle();
    expect([push.sockets.length, push.ofType("view").length]).toEqual([1, 1]);
    expect(cached(blockCache, NEXT)).toEqual([1, 1]);
  });

  it("is waited for while its code loads where it is the fastest way, and only there", async () => {
    for (const [forced, batches] of [
      ["push", 0],
      [null, 1],
    ] as const) {
      const { push, service, pictures } = await prepared(100, forced);
      pictures.fetch({ tiles: FIELD, layers: 1 });
      await settle();
      expect(service.batches.length).toBe(batches);
      await vi.dynamicImportSettled();
      push.socket.onopen?.();
      expect([push.sockets.length, push.ofType("view").length]).toEqual([1, 1 - batches]);
      pictures.close();
    }
  });

  it("closed while its code loads is never opened", async () => {
    const { push, pictures } = await prepared(100, "push");
    pictures.fetch({ tiles: FIELD, layers: 1 });
    pictures.close();
    await vi.dynamicImportSettled();
    expect(push.sockets).toEqual([]);
  });

  it("never opened costs nothing: every field comes in a batch", async () => {
    const { push, pictures, blockCache } = await world();
    for (const tiles of [FIELD, NEXT]) {
      pictures.fetch({ tiles, layers: 2 });
      await settle();
      expect(cached(blockCache, tiles)).toEqual([2, 2]);
    }
    expect([push.sockets.length, push.sent]).toEqual([1, []]);
  });

  it("with a version that is gone says so (WI113)", async () => {
    const { push, events } = await pushed(1);
    push.socket.onclose?.(4410);
    expect(events.stale).toHaveBeenCalledOnce();
  });

  it("closes with the slide", async () => {
    const { push, pictures, blockCache } = await pushed(2);
    pictures.close();
    expect([push.closed, blockCache.cachedOrPending(a(0, 1, 1, 0))]).toEqual([1, 0]);
  });
});
