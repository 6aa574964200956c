import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keyOf } from "@wavescope/core/geometry/pyramid";
import { stub } from "@wavescope/core/stub";
import type { FieldRequest, PictureSource } from "@wavescope/core/tiles/pictures";
import { testManifest } from "@wavescope/core/wire/testing";
import { UNUSED_AFTER, beginOpening, beginView, firstTiles, openConnected, prepareOpening } from "./opening";
import type { OpenedSource, SourceOptions } from "./sources";

const WINDOW = { width: 1920, height: 1080 };
const HASH = "#x=1000&y=900&scale=1";
const PLACE = { ...WINDOW, search: "", hash: HASH, pixelRatio: 1 };

/** Sources that were opened, with what they were opened with. */
const opened = vi.hoisted(() => [] as { options: SourceOptions; closed: boolean }[]);
/** First views that were begun: of so many parts, and whether they wait for something. */
const views = vi.hoisted(() => [] as { parts: number; waits: boolean }[]);
vi.mock("@wavescope/core/wire/slides/firstView", () => ({
  beginFirstView: (_id: string, _query: unknown, parts: number, before?: Promise<unknown>) =>
    views.push({ parts, waits: before !== undefined }),
}));
const warmed = vi.hoisted(() => ({ times: 0 }));
const browser = vi.hoisted(() => ({ lacks: null as string | null }));
vi.mock("./sources", () => ({
  warmUp: () => (warmed.times += 1),
  openSource: (options: SourceOptions): Promise<OpenedSource> => {
    const own = { options, closed: false };
    opened.push(own);
    const source = stub<PictureSource>({ kind: "wavelet", close: () => void (own.closed = true) });
    return Promise.resolve({ source, fallback: options.fallback });
  },
}));
vi.mock("./device/capabilities", () => ({ fallbackReason: () => browser.lacks }));

const manifest = { ...testManifest(), width: 17408, height: 14336, layers: 2 };
const other = { ...manifest, url: "/api/v1/slides/other/v/0" };
const budgets = { samples: 1, bitmaps: 1, compressed: 1, workers: 1 };
const open = (of = manifest, fallback: string | null = null, alone = true) =>
  openConnected(of, budgets, fallback, alone);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  vi.stubGlobal("location", { protocol: "http:" });
  browser.lacks = null;
});
afterEach(async () => {
  await open(other); // drops what a test left
  opened.length = views.length = warmed.times = 0;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("what keeps the page busy (PG8)", () => {
  it("may begin once a request was made", async () => {
    const begun = beginOpening(manifest, HASH, WINDOW, 1);
    opened[0]!.options.meter.requested("blocks:batch");
    await begun;
    expect(vi.getTimerCount()).toBeGreaterThan(0); // the time for which it waits at most has not passed
  });

  it("does not wait long where everything is stored", async () => {
    const begun = beginOpening(manifest, HASH, WINDOW, 1);
    await vi.advanceTimersByTimeAsync(150);
    await begun;
  });
});

describe("the first tiles of a link", () => {
  it("are those of its view, nearest to the centre first, with all layers", () => {
    void beginOpening(manifest, HASH, WINDOW, 1);
    const { tiles, layers } = opened[0]!.options.first as FieldRequest;
    expect(keyOf(tiles[0]!)).toBe("0/0/0/3/3");
    expect([tiles.length, layers]).toEqual([8 * 5, 2]);
  });

  it("CM8: are of the channels of its mix alone", () => {
    void beginOpening(manifest, `${HASH}&channels=5:FF0000:120-4000:100`, WINDOW, 1);
    expect(opened[0]!.options.mix).toEqual({ c5: [0xff0000, 120, 4000, 100] });
  });

  it("have the size of the screen's pixels, the level of the scale and the link's plane", () => {
    const tiles = firstTiles({ ...manifest, planes: 3 }, "#x=8000&y=7000&scale=0.25&plane=9", WINDOW, 2);
    expect(new Set(tiles.map(({ z, level }) => `${z} ${level}`))).toEqual(new Set(["2 2"]));
    expect(tiles.length).toBeGreaterThan(100);
  });

  it("are those of the whole slide where the address has no view", () => {
    const tiles = firstTiles(manifest, "", WINDOW, 1);
    expect(new Set(tiles.map(({ level }) => level))).toEqual(new Set([3]));
    expect(tiles.length).toBe(9 * 7);
  });
});

describe("a source that was begun", () => {
  it("is the microscope's, once", async () => {
    void beginOpening(manifest, HASH, WINDOW, 1);
    await open();
    expect(opened.map(({ closed }) => closed)).toEqual([false]);
    await open();
    expect(opened.map(({ options }) => options.first !== undefined)).toEqual([true, false]);
  });

  it.each([
    ["another slide is opened", other, null, true],
    ["the service shall make the pictures", manifest, "chosen in the address", true],
    ["two microscopes share the device", manifest, null, false],
  ])("is closed where %s", async (_, of, fallback, alone) => {
    void beginOpening(manifest, HASH, WINDOW, 1);
    await open(of, fallback, alone);
    await vi.advanceTimersByTimeAsync(0);
    expect(opened.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it("is closed where no microscope takes it over", async () => {
    void beginOpening(manifest, HASH, WINDOW, 1);
    await vi.advanceTimersByTimeAsync(UNUSED_AFTER + 1);
    expect(opened[0]!.closed).toBe(true);
  });

  it("reports what happened before it was connected, and then what happens", async () => {
    void beginOpening(manifest, HASH, WINDOW, 1);
    const { events } = opened[0]!.options;
    events.offline(true);
    events.stale();
    events.changed();
    const { connect } = await open();
    const reported: unknown[] = [];
    const note = (what: string) => (value?: boolean) =>
      void reported.push([what, value].filter((one) => one !== undefined));
    connect({ changed: note("changed"), offline: note("offline"), stale: note("stale") }, note("counted"));
    expect(reported).toEqual([["offline", true], ["stale"]]);
    events.changed();
    opened[0]!.options.meter.received(1);
    expect(reported.slice(2)).toEqual([["changed"], ["counted"]]);
  });

  it("does not exist in a browser that cannot decode, nor of a slide that is still being imported", () => {
    void beginOpening({ ...manifest, preview: true }, HASH, WINDOW, 1);
    browser.lacks = "this browser lacks web workers";
    void beginOpening(manifest, HASH, WINDOW, 1);
    expect(opened).toEqual([]);
  });

  it("has its workers: no others are started beside them", () => {
    void beginOpening(manifest, HASH, WINDOW, 1);
    prepareOpening(manifest.id, PLACE);
    expect(warmed.times).toBe(0);
  });
});

it("a slide that nothing was begun for is prepared when its page opens", () => {
  prepareOpening(manifest.id, PLACE);
  expect(warmed.times).toBe(1);
});

describe("the first view", () => {
  it("comes in parts, and that of a whole slide in one: it shares the link with the thumbnail (WI144)", () => {
    beginView(manifest.id, PLACE);
    beginView(manifest.id, { ...PLACE, hash: "" });
    expect(views).toEqual([
      { parts: 3, waits: false },
      { parts: 1, waits: false },
    ]);
  });

  it("waits for the manifest where requests share one connection, and in one part (PG9)", () => {
    beginView(manifest.id, PLACE, Promise.resolve());
    vi.stubGlobal("location", { protocol: "https:" });
    beginView(manifest.id, PLACE, Promise.resolve());
    prepareOpening(manifest.id, PLACE); // the manifest of another slide is asked for by then, on a connection that is open
    expect(views).toEqual([
      { parts: 3, waits: false },
      { parts: 1, waits: true },
      { parts: 1, waits: false },
    ]);
  });
});
