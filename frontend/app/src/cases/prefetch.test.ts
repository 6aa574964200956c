import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { problemResponse } from "@wavescope/core/wire/http/fetchStub";
import { approximationUrls } from "@wavescope/core/wire/slides/slideClient";
import { servedManifest, testManifest } from "@wavescope/core/wire/testing";
import { fetchManifestAhead, queryClient } from "../state/queries";
import { prefetchSlides } from "./prefetch";

const served = (id: string) => servedManifest({ id, url: `/api/v1/slides/${id}/v/d`, planes: 3 });
/** What is asked for of a slide: its manifest, then the approximation of its middle plane. */
const manifest = (id: string): string => `/api/v1/slides/${id}`;
const approximation = (id: string): string[] =>
  approximationUrls(testManifest({ url: `/api/v1/slides/${id}/v/d`, planes: 3 }), 1);

let asked: string[];
let aborted: string[];
/** Addresses that the service refuses. */
let refused: Set<string>;
/** Addresses that it never answers. */
let silent: Set<string>;
beforeEach(() => {
  vi.useFakeTimers();
  queryClient.clear();
  asked = [];
  aborted = [];
  refused = new Set();
  silent = new Set();
  vi.stubGlobal("fetch", (url: string, { signal }: RequestInit) => {
    asked.push(url);
    if (refused.has(url)) return Promise.resolve(problemResponse(404, "unknown-slide"));
    if (silent.has(url))
      return new Promise((_, reject) =>
        signal!.addEventListener("abort", () => {
          aborted.push(url);
          reject(signal!.reason as Error);
        }),
      );
    const [, id] = /^\/api\/v1\/slides\/([^/]+)$/.exec(url) ?? [];
    return Promise.resolve(id ? Response.json(served(id)) : new Response(Uint8Array.of(1)));
  });
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rest = (): Promise<unknown> => vi.advanceTimersByTimeAsync(400);

describe("prefetching the neighbours of a slide", () => {
  it("waits until the open view has had 0.4 seconds for itself", async () => {
    prefetchSlides(queryClient, ["a"]);
    await vi.advanceTimersByTimeAsync(399);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked[0]).toBe(manifest("a"));
  });

  it("asks for one slide after the other, the likelier first: the manifest, then the middle plane's approximation", async () => {
    prefetchSlides(queryClient, ["a", "b"]);
    await rest();
    expect(approximation("a").length).toBeGreaterThan(0);
    expect(asked).toEqual([manifest("a"), ...approximation("a"), manifest("b"), ...approximation("b")]);
  });

  it("asks for no manifest that is here already", async () => {
    await fetchManifestAhead(queryClient, "a");
    asked.length = 0;
    prefetchSlides(queryClient, ["a"]);
    await rest();
    expect(asked).toEqual(approximation("a"));
  });

  it("goes on with the next slide after one that cannot be opened", async () => {
    refused.add(manifest("a"));
    prefetchSlides(queryClient, ["a", "b"]);
    await rest();
    expect(asked).toEqual([manifest("a"), manifest("b"), ...approximation("b")]);
  });

  it("goes on with the next slide after an approximation that is missing", async () => {
    refused.add(approximation("a")[0]!);
    prefetchSlides(queryClient, ["a", "b"]);
    await rest();
    expect(asked).toContain(manifest("b"));
  });
});

describe("a page that is left", () => {
  it("before the pause is over asks for nothing", async () => {
    prefetchSlides(queryClient, ["a"])();
    await rest();
    expect(asked).toEqual([]);
  });

  it("ends what is underway, and asks for no further slide", async () => {
    silent.add(approximation("a")[0]!);
    const stop = prefetchSlides(queryClient, ["a", "b"]);
    await rest();
    stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(aborted).toEqual([approximation("a")[0]]);
    expect(asked).not.toContain(manifest("b"));
  });
});

it("nothing is asked for where there is no neighbour", async () => {
  prefetchSlides(queryClient, []);
  await rest();
  expect([asked, vi.getTimerCount()]).toEqual([[], 0]);
});
