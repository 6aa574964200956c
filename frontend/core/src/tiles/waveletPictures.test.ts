import { describe, expect, it, vi } from "vitest";
import { Pyramid, keyOf } from "../geometry/pyramid";
import { type DecodePool, UndecodableError } from "../codec/pool";
import { CorruptError, CutStreamError, OfflineError, ProblemError } from "../wire/http/errors";
import { fakeLayer, parameterSet, testManifest } from "../wire/testing";
import { stub } from "../stub";
import type { FirstView } from "../wire/slides/firstView";
import type { BlockRange } from "../wire/slides/slideClient";
import { BlockCache } from "./blockCache";
import { Meter } from "./meter";
import { FakeService, a, fakeBitmap, settle } from "./testing";
import { Link } from "./transport/link";
import { WaveletPictures } from "./waveletPictures";

const manifest = testManifest({ width: 1024, height: 1024, layers: 2, planes: 2 });

function world(
  bitmap: DecodePool["bitmap"] = () => Promise.resolve(fakeBitmap()),
  begun: Promise<FirstView> | null = null,
) {
  const service = new FakeService(new Pyramid(1024, 1024), 2);
  const events = { changed: vi.fn(), offline: vi.fn(), stale: vi.fn() };
  const pool = stub<DecodePool>({ bitmap, reprioritise: () => undefined, close: () => undefined });
  const blockCache = new BlockCache(service.pyramid, 2, 1 << 20);
  const pictures = new WaveletPictures({
    manifest,
    client: service,
    blockCache,
    pool,
    workers: 1,
    meter: new Meter(),
    events,
    link: new Link(
      () => null,
      undefined,
      () => 10,
    ),
    begun,
  });
  return { service, events, pictures, blockCache };
}

const field = [a(0, 0, 1, 1), a(0, 0, 2, 1), a(0, 0, 1, 2), a(0, 0, 2, 2)];

describe("WaveletPictures", () => {
  it("asks for a new field in one batch, once its index pages are here", async () => {
    const { service, pictures } = world();
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    expect(service.batches.length).toBe(1);
    expect(service.ranges.length).toBe(field.length + 4);
    expect(pictures.availability(field[0]!).layers).toBe(1);
  });

  it("fetches no layer twice, however often the view comes back", async () => {
    const { service, pictures } = world();
    for (const layers of [1, 2, 1, 2]) {
      pictures.fetch({ tiles: field, layers });
      await settle();
      pictures.fetch({ tiles: [a(0, 1, 0, 0), a(0, 0, 3, 1)], layers });
      await settle();
    }
    const all = [...service.ranges, ...service.requested];
    expect(new Set(all).size).toBe(all.length);
  });

  it("asks for a corrupt block once and goes on with the others", async () => {
    const { service, pictures } = world();
    service.corrupt.set(keyOf(field[1]!), 0);
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    expect(pictures.availability(field[1]!)).toEqual({ layers: 0, attainable: 0, reason: "corrupt" });
    expect(pictures.availability(field[0]!).layers).toBe(1);
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    expect(service.batches.length).toBe(1);
  });

  it("keeps layer 0 of a block whose later layer is corrupt", async () => {
    const { service, pictures } = world();
    service.corrupt.set(keyOf(field[1]!), 1);
    for (const layers of [1, 2]) {
      pictures.fetch({ tiles: field, layers });
      await settle();
    }
    expect(pictures.availability(field[1]!)).toEqual({ layers: 1, attainable: 1, reason: "corrupt" });
    expect(pictures.availability(field[0]!).layers).toBe(2);
  });

  it("takes a corrupt index page for corrupt, not for glass", async () => {
    const { service, pictures } = world();
    service.corruptPage = new CorruptError("the checksum does not fit");
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    expect(pictures.availability(field[0]!)).toMatchObject({ attainable: 0, reason: "the checksum does not fit" });
    expect(service.batches).toEqual([]);
  });

  it("takes a block for corrupt that is not what the index or its own header says", async () => {
    const { service, pictures } = world();
    service.forged
      .set(keyOf(field[0]!), fakeLayer(0, 20))
      .set(keyOf(field[1]!), new Uint8Array(13))
      .set(keyOf(field[2]!), new Uint8Array());
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    const reasons = field.map((tile) => pictures.availability(tile).reason);
    expect(reasons).toEqual([...Array<string>(3).fill("the block is not what it is said to be"), null]);
  });

  it("aborts a batch of which nothing is wanted any more, and asks anew when the view comes back", async () => {
    const { service, pictures } = world();
    let open = (): void => undefined;
    service.gate = new Promise((resolve) => (open = resolve));
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    pictures.fetch({ tiles: [a(1, 0, 0, 0)], layers: 1 });
    open();
    await settle();
    expect(service.aborted.length).toBe(1);
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    expect(pictures.availability(field[0]!).layers).toBe(1);
  });

  it("keeps what came of an aborted batch and asks only for the rest that is wanted", async () => {
    const { service, pictures } = world();
    const gates: (() => void)[] = [];
    const next = (): void => void (service.gate = new Promise((resolve) => gates.push(resolve)));
    next();
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    const first = service.gate;
    next();
    gates[0]!();
    await first;
    await settle();
    const wanted = [field[0]!, a(0, 0, 0, 0)];
    pictures.fetch({ tiles: wanted, layers: 1 });
    await settle();
    service.gate = null;
    gates[1]!();
    await settle();
    expect(pictures.availability(field[0]!).layers).toBe(1);
    const asked = service.ranges.filter((range) => range.startsWith(keyOf(a(0, 1, 0, 0))));
    expect(asked).toEqual(["0/0/1/0/0 0-1"]);
    expect(service.aborted.length).toBe(1);
  });

  it.each([new OfflineError("down"), new CutStreamError("cut"), new ProblemError("unavailable", 503, "busy", "")])(
    "waits after $name and asks again by itself",
    async (failure) => {
      vi.useFakeTimers();
      const { service, pictures, events } = world();
      service.failWith = failure;
      pictures.fetch({ tiles: field, layers: 1 });
      await vi.advanceTimersByTimeAsync(100);
      expect(events.offline).toHaveBeenCalledWith(true);
      const before = service.requested.length;
      await vi.advanceTimersByTimeAsync(300);
      expect(service.requested.length).toBe(before);
      service.failWith = null;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(events.offline).toHaveBeenLastCalledWith(false);
      expect(pictures.availability(field[0]!).layers).toBe(1);
      pictures.close();
      vi.useRealTimers();
    },
  );

  it("asks again for blocks that were unavailable", async () => {
    vi.useFakeTimers();
    const { service, pictures } = world();
    service.unavailable.add(keyOf(field[0]!));
    pictures.fetch({ tiles: field, layers: 1 });
    await vi.advanceTimersByTimeAsync(100);
    expect(pictures.availability(field[0]!)).toMatchObject({ layers: 0, attainable: 2 });
    service.unavailable.clear();
    await vi.advanceTimersByTimeAsync(2000);
    expect(pictures.availability(field[0]!).layers).toBe(1);
    pictures.close();
    vi.useRealTimers();
  });

  it("tells when the slide has another version now", async () => {
    const { service, pictures, events } = world();
    service.failWith = new ProblemError("stale-version", 410, "gone", "");
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    expect(events.stale).toHaveBeenCalled();
  });

  it("takes a block that cannot be decoded for corrupt from the last layer used", async () => {
    const bad = new UndecodableError(field[0]!, "checksum");
    const { pictures } = world(() => Promise.reject(bad));
    for (const layers of [1, 2]) {
      pictures.fetch({ tiles: field, layers });
      await settle();
    }
    await expect(pictures.make(field[0]!, 2, () => 0)).rejects.toBe(bad);
    expect(pictures.availability(field[0]!)).toEqual({ layers: 1, attainable: 1, reason: "checksum" });
    await expect(pictures.make(field[0]!, 1, () => 0)).rejects.toBe(bad);
    expect(pictures.availability(field[0]!)).toMatchObject({ layers: 0, attainable: 0 });
  });

  it("hands the decoder the chain from the top, cut to K layers, with nothing for empty blocks", async () => {
    const bitmap = vi.fn<DecodePool["bitmap"]>(() => Promise.resolve(fakeBitmap()));
    const { service, pictures } = world(bitmap);
    service.empty.add(keyOf(a(0, 1, 0, 0)));
    pictures.fetch({ tiles: field, layers: 2 });
    await settle();
    await pictures.make(field[0]!, 1, () => 0);
    const [request] = bitmap.mock.calls[0]!;
    expect(request.chain.map(({ address, layers }) => [address.level, layers.length])).toEqual([
      [2, 1],
      [1, 0],
      [0, 1],
    ]);
    expect(request.chain.map(({ parameters }) => parameters)).toEqual([2, 1, 0].map(parameterSet));
    expect(request).toMatchObject({ slide: "d", layers: 1, channels: 3, width: 256, height: 256 });
  });

  it("looks ahead only when all that is wanted is here, and no further than layer 0", async () => {
    const { service, pictures } = world();
    const above = field.map((tile) => ({ ...tile, z: 1 }));
    pictures.fetch({ tiles: field, layers: 2 });
    pictures.prefetch(above);
    expect(service.requested.some((one) => one.startsWith("index 1/"))).toBe(false);
    await settle(30);
    expect(service.ranges.findIndex((one) => one.startsWith("1/"))).toBe(service.batches[0]!.length);
    expect(service.ranges.filter((one) => one.startsWith("1/")).every((one) => one.endsWith("0-1"))).toBe(true);
    expect(above.every((tile) => pictures.availability(tile).layers === 1)).toBe(true);
  });

  it("gives up looking ahead when the view moves on", async () => {
    const { service, pictures } = world();
    pictures.fetch({ tiles: field, layers: 2 });
    await settle(30);
    let open = (): void => undefined;
    service.gate = new Promise((resolve) => (open = resolve));
    pictures.prefetch(field.map((tile) => ({ ...tile, z: 1 })));
    await settle(30);
    pictures.prefetch([]);
    pictures.fetch({ tiles: [a(0, 0, 0, 0)], layers: 1 });
    open();
    await settle();
    expect(service.aborted.length).toBe(1);
    expect(pictures.availability({ ...field[0]!, z: 1 }).layers).toBe(0);
  });
});

describe("a first view that was requested with the manifest (WI138)", () => {
  /** The first layers of the field's centre and all above it; `sent` of them come. */
  const ranges: BlockRange[] = new Pyramid(1024, 1024)
    .chain(field[0]!)
    .reverse()
    .map((address) => ({ address, from: 0, to: 1 }));

  const partOf = (asked: readonly BlockRange[], sent = asked.length) => ({
    ranges: asked,
    frames: new FakeService(new Pyramid(1024, 1024), 2).batch(asked.slice(0, sent)),
    control: new AbortController(),
  });
  const view = (sent?: number): FirstView => ({ at: 0, parts: [partOf(ranges, sent)] });
  const asked = ({ batches, requested }: FakeService): string[] => [
    ...batches.flat().map(({ address, from }) => `${keyOf(address)} ${from}`),
    ...requested.filter((line) => line.startsWith("approximation")),
  ];

  it("is waited for, and only what it lacks is asked for", async () => {
    let come!: (view: FirstView) => void;
    const { service, pictures } = world(undefined, new Promise((done) => (come = done)));
    pictures.fetch({ tiles: field, layers: 1 });
    await settle();
    expect(asked(service)).toEqual([]);
    come(view());
    await settle();
    expect(pictures.availability(field[0]!).layers).toBe(1);
    expect(pictures.availability(field[3]!).layers).toBe(1);
    const others = [...field.slice(1), a(0, 1, 1, 0), a(0, 1, 0, 1), a(0, 1, 1, 1)];
    expect(asked(service).sort()).toEqual(others.map((one) => `${keyOf(one)} 0`).sort());
  });

  it("leaves nothing to ask for where it has everything", async () => {
    const { service, pictures } = world(undefined, Promise.resolve(view()));
    pictures.fetch({ tiles: field.slice(0, 1), layers: 1 });
    await settle();
    expect([asked(service), pictures.availability(field[0]!).layers]).toEqual([[], 1]);
  });

  it("comes in parts; what one that is no help had is asked for at once (WI144)", async () => {
    const dealt = [0, 1, 2].map((part) => ranges.filter((_, i) => i % 3 === part));
    const { service, pictures } = world(
      undefined,
      Promise.resolve({ at: 0, parts: [dealt[0]!, dealt[2]!].map((one) => partOf(one)) }),
    );
    pictures.fetch({ tiles: field.slice(0, 1), layers: 1 });
    await settle();
    expect(asked(service)).toEqual(dealt[1]!.map(({ address }) => `${keyOf(address)} 0`));
    expect(pictures.availability(field[0]!).layers).toBe(1);
  });

  it.each([
    ["ends early", () => view(1)],
    ["is of no help", () => ({ at: 0, parts: [] })],
  ])("is made up for where it %s", async (_, given) => {
    const { service, pictures } = world(undefined, Promise.resolve(given()));
    pictures.fetch({ tiles: field.slice(0, 1), layers: 1 });
    await settle();
    expect(pictures.availability(field[0]!).layers).toBe(1);
    expect(new Set(asked(service)).size).toBe(asked(service).length);
  });

  it("is given up when the slide is closed before it comes", async () => {
    const late = view();
    const { pictures } = world(undefined, Promise.resolve(late));
    pictures.close();
    await settle();
    expect(late.parts.map(({ control }) => control.signal.aborted)).toEqual([true]);
  });
});
