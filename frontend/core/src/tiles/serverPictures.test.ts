import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Address, Pyramid, keyOf } from "../geometry/pyramid";
import { OfflineError, ProblemError } from "../wire/http/errors";
import type { SlideClient } from "../wire/slides/slideClient";
import { stub } from "../stub";
import { ServerPictures } from "./serverPictures";
import { a, fakeBitmap, settle } from "./testing";

interface Asked {
  readonly name: string;
  readonly response: () => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

beforeEach(
  () => void vi.stubGlobal("createImageBitmap", (blob: { name: string }) => Promise.resolve(fakeBitmap(blob.name))),
);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function world() {
  const asked: Asked[] = [];
  const client = stub<SlideClient>({
    tile: (tile: Address, layers: number, signal?: AbortSignal) =>
      new Promise<Blob>((resolve, reject) => {
        const name = `${keyOf(tile)}@${layers}`;
        asked.push({
          name,
          signal,
          response: () => (resolve(new File([], name)), flush()),
          fail: (error) => (reject(error), flush()),
        });
      }),
  });
  const events = { changed: vi.fn(), offline: vi.fn(), stale: vi.fn() };
  return { asked, events, pictures: new ServerPictures(new Pyramid(8192, 8192), 2, client, events) };
}

/** Lets what is ready run, without any timer. */
async function flush(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

const tile = (x: number): Address => a(0, 0, x, 0);

describe("ServerPictures", () => {
  it("has six requests underway at most, and begins the next when one ends", async () => {
    const { asked, pictures } = world();
    const made = Array.from({ length: 8 }, (_, x) => pictures.make(tile(x), 2, () => x));
    expect(asked.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4, 5].map((x) => `0/0/0/${x}/0@2`));
    await asked[3]!.response();
    expect(await made[3]).toMatchObject({ name: "0/0/0/3/0@2" });
    expect(asked.length).toBe(7);
  });

  it("begins with the lowest rank when a request is free", async () => {
    const { asked, pictures } = world();
    for (let x = 0; x < 6; x += 1) void pictures.make(tile(x), 2, () => 0);
    for (const [x, rank] of [
      [7, 3],
      [8, 1],
      [9, 2],
    ])
      void pictures.make(tile(x!), 2, () => rank!);
    await asked[0]!.response();
    await asked[1]!.response();
    expect(asked.slice(6).map(({ name }) => name)).toEqual(["0/0/0/8/0@2", "0/0/0/9/0@2"]);
  });

  it("resolves with null what is no longer wanted before it was asked for", async () => {
    const { asked, pictures } = world();
    let wanted = true;
    for (let x = 0; x < 6; x += 1) void pictures.make(tile(x), 2, () => 0);
    const late = pictures.make(tile(9), 2, () => (wanted ? 0 : null));
    wanted = false;
    pictures.reprioritise();
    expect(await late).toBeNull();
    expect(asked.length).toBe(6);
  });

  it("has all layers of every tile, until the service says that it cannot make one", async () => {
    const { asked, pictures } = world();
    expect(pictures.availability(tile(0))).toEqual({ layers: 2, attainable: 2, reason: null });
    const made = pictures.make(tile(0), 2, () => 0);
    const failure = expect(made).rejects.toThrow("bad block");
    await asked[0]!.fail(new ProblemError("corrupt-block", 500, "corrupt", "bad block"));
    await failure;
    expect(pictures.availability(tile(0))).toEqual({ layers: 0, attainable: 0, reason: "bad block" });
    expect(pictures.availability(tile(1)).layers).toBe(2);
  });

  it.each([404, 410])("reports that the slide is not there any more: status %i", async (status) => {
    const { asked, events, pictures } = world();
    const failure = expect(pictures.make(tile(0), 2, () => 0)).rejects.toThrow();
    await asked[0]!.fail(new ProblemError("gone", status, "gone", ""));
    await failure;
    expect(events.stale).toHaveBeenCalledOnce();
    expect(pictures.availability(tile(0)).reason).toBeNull();
  });

  it("waits after a failure that may pass, begins nothing meanwhile, and then makes what waited", async () => {
    vi.useFakeTimers();
    const { asked, events, pictures } = world();
    const made = pictures.make(tile(0), 2, () => 0);
    await asked[0]!.fail(new OfflineError("down"));
    void pictures.make(tile(1), 2, () => 1);
    expect(asked.length).toBe(1);
    expect(events.offline).toHaveBeenCalledExactlyOnceWith(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.map(({ name }) => name)).toEqual(["0/0/0/0/0@2", "0/0/0/0/0@2", "0/0/0/1/0@2"]);
    await asked[1]!.response();
    expect(await made).not.toBeNull();
    expect(events.offline).toHaveBeenLastCalledWith(false);
  });

  it("asks at once when the browser says that the network is back", async () => {
    vi.useFakeTimers();
    const { asked, pictures } = world();
    void pictures.make(tile(0), 2, () => 0);
    await asked[0]!.fail(new OfflineError("down"));
    pictures.retryNow();
    expect(asked.length).toBe(2);
  });

  it("aborts and drops everything when it is closed", async () => {
    const { asked, pictures } = world();
    const made = Array.from({ length: 8 }, (_, x) => pictures.make(tile(x), 2, () => x));
    pictures.close();
    expect(asked.every(({ signal }) => signal?.aborted)).toBe(true);
    for (const one of asked) await one.fail(new DOMException("aborted", "AbortError"));
    expect(await Promise.all(made)).toEqual(made.map(() => null));
    await settle(2);
    expect(asked.length).toBe(6);
  });

  it("fetches nothing ahead: whole pictures are too many bytes", () => {
    const { asked, pictures } = world();
    pictures.prefetch();
    pictures.fetch();
    expect(asked).toEqual([]);
  });
});
