import { afterEach, describe, expect, it, vi } from "vitest";
import { SlideFileError } from "../wire/files/errors";
import { OfflineError } from "../wire/http/errors";
import { manifestOf, reasonOf } from "./localSlide";
import type { FromWorker, LocalDescription, ToWorker } from "./protocol";
import { LocalReader, type ReaderWorker } from "./reader";

const description: LocalDescription = {
  width: 1000,
  height: 600,
  levels: [{ width: 1000, height: 600 }],
  facts: { mppX: 0.25, mppY: 0.25, objective: 40, vendor: "aperio" },
};
const file = new File(["slide bytes."], "patient 1.svs");

/** Answers as `answer` says; what it was asked. */
function fakeWorker(answer: (message: ToWorker) => FromWorker | null) {
  const asked: ToWorker[] = [];
  const worker: ReaderWorker & { terminated: boolean } = {
    onmessage: null,
    onerror: null,
    terminated: false,
    postMessage: (message) => {
      asked.push(message);
      const data = answer(message);
      if (data) queueMicrotask(() => worker.onmessage?.({ data } as MessageEvent<FromWorker>));
    },
    terminate: () => (worker.terminated = true),
  };
  return { worker, asked };
}

const opened: FromWorker = { type: "opened", description, thumbnail: new ArrayBuffer(8) };
const fails = (fault: "malformed" | null) => (message: ToWorker) =>
  message.type === "open" ? opened : { type: "failed" as const, id: message.id, error: { fault, message: "tile 3" } };

afterEach(() => vi.restoreAllMocks());

describe("a slide file in the place of the service", () => {
  it("has the size and the facts of the file, and tiles from the worker (LI5, LI7)", async () => {
    const { worker, asked } = fakeWorker((message) =>
      message.type === "open" ? opened : { type: "tile", id: message.id, picture: new ArrayBuffer(4) },
    );
    const manifest = manifestOf(file, await LocalReader.open(file, worker));
    expect(manifest).toMatchObject({
      width: 1000,
      height: 600,
      top: 2,
      mpp: { x: 0.25, y: 0.25 },
      objectivePower: 40,
      preview: true,
      allowed: [],
    });
    expect(manifest.icc).toBe(false);
    expect([manifest.url, manifest.id, manifest.thumbnail].join()).not.toContain("patient");
    const client = manifest.files!.client({ requested: () => undefined, received: () => undefined });
    const tile = await client.tile({ z: 0, c: 0, level: 1, x: 1, y: 0 }, 1);
    expect([tile.type, tile.size, asked.length]).toEqual(["image/bmp", 4, 2]);
    expect(await (await manifest.files!.fetcher("/annotations")).json()).toMatchObject({ annotations: [] });
    manifest.files!.close();
    expect(worker.terminated).toBe(true);
    await expect(client.tile({ z: 0, c: 0, level: 1, x: 1, y: 0 }, 1)).rejects.toMatchObject({ name: "AbortError" });
  });

  it("has a colour profile where the file has one (LI5)", async () => {
    const profiled = { ...description, facts: { icc: Uint8Array.of(1) } };
    const { worker } = fakeWorker(() => ({ ...opened, description: profiled }));
    expect(manifestOf(file, await LocalReader.open(file, worker)).icc).toBe(true);
  });

  it("is refused with the cause, and the worker ends (LI11)", async () => {
    const { worker } = fakeWorker(() => ({ type: "refused", error: { fault: "truncated", message: "cut" } }));
    await expect(LocalReader.open(file, worker)).rejects.toMatchObject({ fault: "truncated" });
    expect(worker.terminated).toBe(true);
  });

  it.each([
    ["malformed", "damaged"],
    [null, "cannot be read"],
  ] as const)("says why a tile is not there: %s (LI11)", async (fault, words) => {
    const { worker } = fakeWorker(fails(fault));
    const manifest = manifestOf(file, await LocalReader.open(file, worker));
    const client = manifest.files!.client({ requested: () => undefined, received: () => undefined });
    const error: unknown = await client.tile({ z: 0, c: 0, level: 0, x: 0, y: 0 }, 1).catch((cause: unknown) => cause);
    expect(error).not.toBeInstanceOf(OfflineError); // which is waited for
    expect(String(error)).toContain(words);
  });

  it("has a message of its own for each cause (LI11)", () => {
    const faults = ["truncated", "malformed", "too-large", "unsupported"] as const;
    const texts = faults.map((fault) => reasonOf(new SlideFileError(fault, "")));
    expect(new Set([...texts, reasonOf(new OfflineError(""))]).size).toBe(5);
  });

  it("whose worker dies rejects what waits (LI7)", async () => {
    const { worker } = fakeWorker((message) => (message.type === "open" ? opened : null));
    const reader = await LocalReader.open(file, worker);
    const tile = reader.tile({ level: 0, x: 0, y: 0 });
    worker.onerror?.({ message: "" } as ErrorEvent);
    await expect(tile).rejects.toBeInstanceOf(OfflineError);
  });
});
