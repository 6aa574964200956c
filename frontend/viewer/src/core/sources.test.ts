import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { address } from "@wavescope/core/geometry/pyramid";
import { Meter } from "@wavescope/core/tiles/meter";
import { testManifest } from "@wavescope/core/wire/testing";

const pools = vi.hoisted(
  () => [] as { workers: number; budget: number; make: () => object; module: Promise<object> }[],
);
vi.mock("@wavescope/core/codec/pool", async (original) => ({
  ...(await original<object>()),
  poolSize: (processors = 2) => processors,
  DecodePool: function (workers: number, make: () => object, module: Promise<object>, budget: number) {
    pools.push({ workers, budget, make, module });
    return { close: () => undefined };
  },
}));
const browser = vi.hoisted(() => ({ lacks: null as string | null }));
vi.mock("./device/capabilities", () => ({ fallbackReason: () => browser.lacks }));

/** The smallest module: magic and version. */
const WASM = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const kernel = (): Response => new Response(WASM);

let responses: (Response | Error)[];
let asked: number;
let workers: { onerror?: () => void }[];
beforeEach(() => {
  vi.resetModules(); // the module compiles the kernel once per page
  pools.length = 0;
  browser.lacks = null;
  responses = [];
  asked = 0;
  workers = [];
  vi.stubGlobal("fetch", () => {
    const response = responses[Math.min(asked, responses.length - 1)]!;
    asked += 1;
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response.clone());
  });
  vi.stubGlobal("navigator", { hardwareConcurrency: 3 });
  vi.stubGlobal("location", new URL("http://127.0.0.1/"));
  vi.stubGlobal("Worker", function () {
    workers.push({});
    return workers.at(-1);
  });
});
afterEach(() => vi.unstubAllGlobals());

const budgets = { samples: 1000, bitmaps: 1000, compressed: 1000, workers: 2 };
const events = { changed: () => undefined, offline: () => undefined, stale: () => undefined };

async function open(fallback: string | null = null) {
  const { openSource } = await import("./sources");
  const meter = new Meter(() => undefined);
  const opened = await openSource({ manifest: testManifest(), meter, budgets, fallback, events });
  const { source, fallback: reason } = opened;
  return [source.kind, reason];
}

describe("the source of pictures", () => {
  it("is the workers of this browser, with the budget of the device", async () => {
    responses = [kernel()];
    expect(await open()).toEqual(["wavelet", null]);
    expect(pools).toMatchObject([{ workers: 2, budget: 1000 }]);
    expect(await pools[0]!.module).toBeInstanceOf(WebAssembly.Module);
  });

  it("requests the first view while the decoder is still on its way", async () => {
    const urls: string[] = [];
    vi.stubGlobal("fetch", (url: string) => {
      urls.push(url);
      return new Promise<Response>(() => undefined);
    });
    const { openSource } = await import("./sources");
    const manifest = testManifest();
    const first = { tiles: [address(0, 0, 0, 0)], layers: 1 };
    void openSource({ manifest, meter: new Meter(() => undefined), budgets, fallback: null, events, first });
    await vi.waitFor(() => expect(urls.some((url) => url.startsWith(manifest.url))).toBe(true)); // after a look at what is stored
  });

  it("is the service where the page knows a reason, and then no decoder is fetched", async () => {
    expect(await open("chosen in the address")).toEqual(["server", "chosen in the address"]);
    expect([asked, pools.length]).toEqual([0, 0]);
  });

  it.each([
    ["is missing", new Response("", { status: 404 }), "404"],
    ["is not WebAssembly", new Response("<html>"), "WebAssembly"],
  ])("is the service where the decoder %s, and the reason is given", async (_, response, words) => {
    responses = [response];
    const [kind, reason] = await open();
    expect(kind).toBe("server");
    expect(reason).toContain("the decoder could not be started");
    expect(reason).toContain(words);
  });

  it("is none where the network fails: opening fails, and can be tried again", async () => {
    responses = [new TypeError("no network"), kernel()];
    await expect(open()).rejects.toThrow("no network");
    expect(await open()).toEqual(["wavelet", null]);
  });
});

describe("the decoder", () => {
  it("is fetched and compiled once for all slides of the page", async () => {
    responses = [kernel()];
    await Promise.all([open(), open()]);
    await open();
    expect(asked).toBe(1);
    expect(new Set(pools.map(({ module }) => module)).size).toBe(1);
  });

  it("is fetched again after it was missing", async () => {
    responses = [new Response("", { status: 503 }), kernel()];
    expect((await open())[0]).toBe("server");
    expect((await open())[0]).toBe("wavelet");
  });
});

describe("warming up", () => {
  it("fetches the decoder and starts the workers that the first slide then uses", async () => {
    responses = [kernel()];
    const { warmUp } = await import("./sources");
    warmUp();
    warmUp();
    expect(workers).toHaveLength(3);
    await open();
    expect(asked).toBe(1);
    const used = [1, 2, 3, 4].map(() => pools[0]!.make());
    expect(used.slice(0, 3)).toEqual(workers.slice(0, 3));
    expect(new Set(used).size).toBe(4);
  });

  it("leaves out a worker whose script could not be loaded", async () => {
    responses = [kernel()];
    const { warmUp } = await import("./sources");
    warmUp();
    workers[0]!.onerror!();
    await open();
    const broken = workers[0];
    expect([1, 2, 3].map(() => pools[0]!.make())).not.toContain(broken);
  });

  it("does nothing in a browser that cannot decode, and reports no failure of its own", async () => {
    const { warmUp } = await import("./sources");
    responses = [new TypeError("no network")];
    browser.lacks = "this browser lacks web workers";
    warmUp();
    expect([asked, workers.length]).toEqual([0, 0]);
    browser.lacks = null;
    warmUp();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(asked).toBe(1);
  });
});
