import { describe, expect, it, vi } from "vitest";
import { type Address, Pyramid, keyOf } from "../geometry/pyramid";
import { CorruptError, CutStreamError, OfflineError, ProblemError } from "../wire/http/errors";
import { fakeLayer } from "../wire/testing";
import { BlockCache } from "./blockCache";
import { Fetcher } from "./fetcher";
import { Meter } from "./meter";
import { planFetch } from "./plan";
import { FakeService, a, settle } from "./testing";
import { Link } from "./transport/link";

const PAGE_REF = { z: 0, c: 0, level: 0, page: 0 };
const tiles = [a(0, 0, 0, 0), a(0, 0, 1, 0), a(0, 0, 2, 0)];
const NO_PAGES = { pages: [], approximations: [] };

function world(layers = 2, size = 1024) {
  const service = new FakeService(new Pyramid(size, size), layers);
  const blockCache = new BlockCache(service.pyramid, layers, 1 << 24);
  const events = { arrived: vi.fn(), recoverable: vi.fn(), responded: vi.fn(), stale: vi.fn() };
  const meter = new Meter();
  const fast = new Link(
    () => null,
    undefined,
    () => 10,
  );
  return { service, blockCache, events, meter, fetcher: new Fetcher(service, blockCache, meter, events, fast) };
}

const ranges = (of: readonly Address[], from = 0, to = 1) => of.map((address) => ({ address, from, to }));

describe("batches", () => {
  it("puts each block's layers into the cache as its frame comes, and counts what was asked for", async () => {
    const { fetcher, blockCache, events, meter } = world();
    fetcher.execute({ ...NO_PAGES, ranges: ranges(tiles, 0, 2) });
    expect(fetcher.busy).toBe(true);
    expect(tiles.map((tile) => blockCache.cachedOrPending(tile))).toEqual([2, 2, 2]);
    await settle();
    expect(tiles.map((tile) => blockCache.cachedLayers(tile))).toEqual([2, 2, 2]);
    expect(fetcher.busy).toBe(false);
    expect(events.responded).toHaveBeenCalledTimes(3);
    expect(meter.counters()).toMatchObject({ blocks: 3, log: tiles.map((tile) => `block ${keyOf(tile)} 0-2`) });
  });

  it("splits what is more than a batch may hold, in order", () => {
    const { fetcher, service } = world(2, 32_768);
    const many = Array.from({ length: 4097 }, (_, i) => a(0, 0, i % 64, Math.floor(i / 64)));
    fetcher.execute({ ...NO_PAGES, ranges: ranges(many) });
    expect(service.batches.map((batch) => batch.length)).toEqual([4096, 1]);
    expect(service.batches.flat().map(({ address }) => keyOf(address))).toEqual(many.map(keyOf));
  });

  it("requests many blocks in several batches where the service is slow to respond, all beginning with what comes first (WI126)", async () => {
    const slow = new Link(
      () => null,
      () => 0,
      () => 300,
    );
    const measured = vi.spyOn(slow, "measured");
    const { service, blockCache, events, meter } = world(2, 2048);
    const many = Array.from({ length: 18 }, (_, i) => a(0, 0, i % 4, Math.floor(i / 4)));
    new Fetcher(service, blockCache, meter, events, slow).execute({ ...NO_PAGES, ranges: ranges(many) });
    expect(service.batches.map((batch) => keyOf(batch[0]!.address))).toEqual(many.slice(0, 3).map(keyOf));
    expect(service.batches.map((batch) => batch.length)).toEqual([6, 6, 6]);
    await settle();
    expect(many.map((tile) => blockCache.cachedLayers(tile))).toEqual(many.map(() => 1));
    expect(measured).toHaveBeenCalledOnce(); // as one request: their rates add up
  });

  it("requests one batch where all requests share a connection (WI126)", () => {
    const shared = new Link(
      () => null,
      () => 0,
      () => 300,
      () => true,
    );
    const { service, blockCache, events, meter } = world(2, 2048);
    const many = Array.from({ length: 18 }, (_, i) => a(0, 0, i % 4, Math.floor(i / 4)));
    new Fetcher(service, blockCache, meter, events, shared).execute({ ...NO_PAGES, ranges: ranges(many) });
    expect(service.batches.map((batch) => batch.length)).toEqual([18]);
  });

  it("has all of a block in one of these batches (WI126)", () => {
    const slow = new Link(
      () => null,
      () => 0,
      () => 300,
    );
    const { service, blockCache, events, meter } = world(2, 2048);
    const many = Array.from({ length: 10 }, (_, i) => a(0, 0, i % 4, Math.floor(i / 4)));
    const staged = [...ranges(many), ...ranges(many, 1, 2)];
    new Fetcher(service, blockCache, meter, events, slow).execute({ ...NO_PAGES, ranges: staged });
    const all = service.batches.map((batch) => new Set(batch.map(({ address }) => keyOf(address))));
    expect(all.map(({ size }) => size)).toEqual([4, 3, 3]);
    expect(service.batches.map((batch) => batch.length)).toEqual([8, 6, 6]);
  });

  it("waits with blocks for the pages of the index, and fetches each page once", async () => {
    const { fetcher, service } = world();
    const plan = { pages: [PAGE_REF], approximations: [], ranges: ranges(tiles) };
    fetcher.execute(plan);
    fetcher.execute(plan);
    expect(service.requested).toEqual(["index 0/0/0/0"]);
    expect(service.batches).toEqual([]);
    await settle();
    fetcher.execute(plan);
    expect(service.requested.length).toBe(2); // it came: another plan that names it wants it anew
  });

  it("marks what the store calls corrupt, with its reason, and takes the others", async () => {
    const { fetcher, service, blockCache } = world();
    service.corrupt.set(keyOf(tiles[1]!), 1);
    fetcher.execute({ ...NO_PAGES, ranges: ranges(tiles, 0, 2) });
    await settle();
    expect(blockCache.corruptionOf(tiles[1]!)).toEqual({ layer: 0, reason: "corrupt" });
    expect(tiles.map((tile) => blockCache.cachedLayers(tile))).toEqual([2, 0, 2]);
    expect(blockCache.cachedOrPending(tiles[1]!)).toBe(0);
  });

  it("marks layers that do not have the lengths of the index, or are not layers at all", async () => {
    const { fetcher, service, blockCache } = world();
    blockCache.addPage(PAGE_REF, await service.layerIndexPage(0, 0, 0, 0));
    service.forged.set(keyOf(tiles[0]!), fakeLayer(0, 40)).set(keyOf(tiles[1]!), Uint8Array.of(1, 2, 3));
    fetcher.execute({ ...NO_PAGES, ranges: ranges(tiles) });
    await settle();
    expect(tiles.map((tile) => blockCache.corruptionOf(tile)?.layer)).toEqual([0, 0, undefined]);
    expect(tiles.map((tile) => blockCache.cachedLayers(tile))).toEqual([0, 0, 1]);
  });

  it("marks a block that is empty where the index has layers", async () => {
    const { fetcher, service, blockCache } = world();
    service.empty.add(keyOf(tiles[0]!));
    fetcher.execute({ ...NO_PAGES, ranges: ranges(tiles) });
    await settle();
    expect(blockCache.corruptionOf(tiles[0]!)).not.toBeNull();
  });

  it("leaves an unavailable block to be asked for again", async () => {
    const { fetcher, service, blockCache, events } = world();
    service.unavailable.add(keyOf(tiles[2]!));
    fetcher.execute({ ...NO_PAGES, ranges: ranges(tiles) });
    await settle();
    expect(events.recoverable).toHaveBeenCalledExactlyOnceWith(false);
    expect([blockCache.corruptionOf(tiles[2]!), blockCache.cachedOrPending(tiles[2]!)]).toEqual([null, 0]);
  });
});

describe("failures of a whole request", () => {
  it.each<[string, Error, Partial<Record<"recoverable" | "stale", unknown[][]>>, boolean]>([
    ["no network", new OfflineError("down"), { recoverable: [[true]] }, false],
    ["a cut stream", new CutStreamError("cut"), { recoverable: [[true]] }, false],
    ["a busy service", new ProblemError("unavailable", 503, "busy", ""), { recoverable: [[true]] }, false],
    ["an unknown problem", new ProblemError("invalid-parameter", 400, "no", ""), { recoverable: [[false]] }, false],
    ["a newer version", new ProblemError("stale-version", 410, "gone", ""), { stale: [[]] }, false],
    ["a sign-in that has ended", new ProblemError("credentials-expired", 401, "gone", ""), { stale: [[]] }, false],
    ["a deleted slide", new ProblemError("unknown-slide", 404, "gone", ""), { stale: [[]] }, false],
    ["a corrupt answer", new CorruptError("checksum"), {}, true],
    ["a corrupt store", new ProblemError("corrupt-block", 500, "bad", "bad"), {}, true],
  ])("%s", async (_, error, calls, damaged) => {
    const { fetcher, service, blockCache, events } = world();
    service.failWith = error;
    fetcher.execute({ ...NO_PAGES, ranges: ranges(tiles) });
    await settle();
    expect(events.recoverable.mock.calls).toEqual(calls.recoverable ?? []);
    expect(events.stale.mock.calls).toEqual(calls.stale ?? []);
    expect(tiles.map((tile) => blockCache.corruptionOf(tile) !== null)).toEqual([damaged, damaged, damaged]);
    expect(tiles.map((tile) => blockCache.cachedOrPending(tile))).toEqual([0, 0, 0]);
    expect(events.arrived).toHaveBeenCalled();
    expect(fetcher.busy).toBe(false);
  });

  it("marks all blocks of a corrupt index page", async () => {
    const { fetcher, service, blockCache, events } = world();
    service.corruptPage = new CorruptError("checksum");
    fetcher.execute({ pages: [PAGE_REF], approximations: [], ranges: [] });
    await settle();
    expect(blockCache.corruptionOf(tiles[0]!)).toEqual({ layer: 0, reason: "checksum" });
    expect(events.arrived).toHaveBeenCalledOnce();
  });
});

describe("approximations", () => {
  const top = a(0, 2, 0, 0);
  const layer = (number: number) => ({ address: top, layer: number });

  it("asks for all layers at once and adds them in order", async () => {
    const { fetcher, service, blockCache } = world(3);
    fetcher.execute({ pages: [], approximations: [layer(0), layer(1), layer(2)], ranges: [] });
    expect(service.requested).toEqual(["approximation 0 0", "approximation 0 1", "approximation 0 2"]);
    expect(blockCache.cachedOrPending(top)).toBe(3);
    await settle();
    expect(blockCache.get(top).map((bytes) => [...bytes])).toEqual([[0], [1], [2]]);
  });

  it("keeps the good layers before a corrupt one, and drops those after it", async () => {
    const { fetcher, service, blockCache } = world(3);
    const good = service.approximationLayer.bind(service);
    service.approximationLayer = (z, c, number) =>
      number === 1 ? Promise.reject(new CorruptError("checksum")) : good(z, c, number);
    fetcher.execute({ pages: [], approximations: [layer(0), layer(1), layer(2)], ranges: [] });
    await settle();
    expect(blockCache.cachedLayers(top)).toBe(1);
    expect(blockCache.corruptionOf(top)).toEqual({ layer: 1, reason: "checksum" });
    expect(blockCache.cachedOrPending(top)).toBe(1);
  });
});

describe("keepOnly", () => {
  /** A batch of four blocks of which the first `come` have come. */
  async function underway(come: number) {
    const all = [0, 1, 2, 3].map((x) => a(0, 0, x, 0));
    const one = world();
    const gates: (() => void)[] = [];
    const close = (): void => void (one.service.gate = new Promise((resolve) => gates.push(resolve)));
    close();
    one.fetcher.execute({ ...NO_PAGES, ranges: ranges(all) });
    for (let i = 0; i < come; i += 1) {
      await settle(2);
      close();
      gates[i]!();
      await settle(2);
    }
    const finish = async (): Promise<void> => {
      one.service.gate = null;
      for (const gate of gates) gate();
      await settle();
    };
    return { ...one, all, finish };
  }

  it.each([
    [0, 0, true],
    [0, 1, true],
    [0, 2, false],
    [0, 4, false],
    [2, 0, true],
    [2, 1, false],
  ])("with %i of 4 here and %i of the missing wanted, aborts: %s", async (come, wanted, aborts) => {
    const { fetcher, service, blockCache, all, finish } = await underway(come);
    const names = all.slice(4 - wanted).map(keyOf);
    fetcher.abortUnneeded((address) => names.includes(keyOf(address)));
    expect(all.map((tile) => blockCache.cachedOrPending(tile) > 0)).toEqual(all.map((_, i) => i < come || !aborts));
    await finish();
    expect(service.aborted.length).toBe(aborts ? 1 : 0);
    expect(all.filter((tile) => blockCache.cachedLayers(tile) > 0).length).toBe(aborts ? come : 4);
  });

  it("asks again for what an aborted batch lacked", async () => {
    const { fetcher, service, blockCache, all, finish } = await underway(1);
    fetcher.abortUnneeded(() => false);
    await finish();
    blockCache.addPage(PAGE_REF, await service.layerIndexPage(0, 0, 0, 0));
    blockCache.addPage({ ...PAGE_REF, level: 1 }, await service.layerIndexPage(0, 0, 1, 0));
    const missing = planFetch(all, 1, blockCache).ranges.filter(({ address }) => address.level === 0);
    expect(missing.map(({ address }) => keyOf(address))).toEqual(all.slice(1).map(keyOf));
  });

  it("reports nothing of requests that are aborted because it is closed", async () => {
    const { fetcher, events, finish } = await underway(0);
    fetcher.close();
    await finish();
    expect([events.recoverable.mock.calls, events.stale.mock.calls]).toEqual([[], []]);
  });
});
