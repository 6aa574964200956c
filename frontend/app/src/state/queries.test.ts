import { QueryClient, replaceEqualDeep } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ContractError, CutStreamError, OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import { problemResponse, stubFetch } from "@wavescope/core/wire/http/fetchStub";
import { servedManifest, testManifest } from "@wavescope/core/wire/testing";
import { captured } from "../rendered";
import { beginManifest, fetchManifestAhead, errorOf, queryClient, refreshSlides } from "./queries";
import { useChangeSlide, useSlides } from "./slideQueries";

it("knows a manifest that was asked for again for the same: no microscope is opened anew for it", () => {
  const served = { width: 2048, height: 1024, empty: { plane: 0, runs: [[1, 31], [8], [2]] } };
  const first = testManifest(served);
  expect(replaceEqualDeep(first, testManifest(served))).toBe(first);
  expect(replaceEqualDeep(first, testManifest({ ...served, digest: "e" }))).not.toBe(first);
});

beforeEach(() => {
  vi.useFakeTimers();
  queryClient.clear();
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a service that does not answer", () => {
  const { retry, retryDelay } = queryClient.getDefaultOptions().queries!;
  const isAskedAgain = (error: Error, count = 0): boolean => (retry as (n: number, e: Error) => boolean)(count, error);

  it.each<[Error, boolean]>([
    [new OfflineError("no answer"), true],
    [new CutStreamError("cut"), true],
    [new ProblemError("unavailable", 503, "Unavailable", ""), true],
    [new ProblemError("too-many-requests", 429, "Too many requests", ""), true],
    [new ProblemError("unknown-slide", 404, "Unknown slide", ""), false],
    [new ProblemError("internal", 500, "Internal", ""), false],
    [new ContractError("GET /api/v1/slides", "", "type"), false],
    [new TypeError("a fault of the page"), false],
  ])("%s: is asked again: %s", (error, again) => {
    expect([isAskedAgain(error), isAskedAgain(error, 1000)]).toEqual([again, again]);
  });

  it("QZ29: is asked at any moment of longer and longer times, of four seconds at most", () => {
    const pause = retryDelay as (attempt: number) => number;
    const chance = vi.spyOn(Math, "random").mockReturnValue(1);
    expect([0, 1, 2, 3, 4, 1000].map(pause)).toEqual([1000, 2000, 4000, 4000, 4000, 4000]);
    chance.mockReturnValue(0);
    expect([0, 1, 1000].map(pause)).toEqual([0, 0, 0]);
    chance.mockRestore();
  });

  it("is asked until it answers", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const asked = stubFetch(new TypeError("no network"), problemResponse(503, "unavailable"), servedManifest());
    void beginManifest("s");
    await vi.advanceTimersByTimeAsync(500);
    expect([asked.length, queryClient.getQueryData(["manifest", "s"])]).toEqual([2, undefined]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(queryClient.getQueryData(["manifest", "s"])).toMatchObject({ id: "s" });
  });
});

it("the shown error is the one that ended the query, or else the reason why it is being tried again", () => {
  const [ended, again] = [new Error("ended"), new Error("again")];
  expect(errorOf({ error: ended, failureReason: again })).toBe(ended);
  expect(errorOf({ error: null, failureReason: again })).toBe(again);
  expect(errorOf({ error: null, failureReason: null })).toBeNull();
});

describe("a manifest fetched ahead", () => {
  it("is good for a minute: it is not asked for again until then", async () => {
    const asked = stubFetch(servedManifest());
    const first = await fetchManifestAhead(queryClient, "s");
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await fetchManifestAhead(queryClient, "s")).toBe(first);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    await fetchManifestAhead(queryClient, "s");
    expect(asked).toHaveLength(2);
  });

  it("is asked for once where the service does not answer: opening the slide asks again", async () => {
    const asked = stubFetch(new TypeError("no network"));
    await expect(fetchManifestAhead(queryClient, "s")).rejects.toThrow(OfflineError);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
  });

  it("is of one slide only", async () => {
    const asked = stubFetch(servedManifest());
    await Promise.all([fetchManifestAhead(queryClient, "s"), fetchManifestAhead(queryClient, "a/b")]);
    expect(asked.map(({ line }) => line.replace(/^.*slides/, ""))).toEqual(["/s", "/a%2Fb"]);
  });
});

it("a manifest that was begun for a page is forgotten where no page comes for it within two seconds", async () => {
  stubFetch(servedManifest());
  void beginManifest("s");
  await vi.advanceTimersByTimeAsync(1900);
  expect(queryClient.getQueryData(["manifest", "s"])).toBeDefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(queryClient.getQueryData(["manifest", "s"])).toBeUndefined();
});

it("a change of slides makes every list of slides stale, and neither manifests nor the account", async () => {
  const client = new QueryClient();
  const lists = [["slides", "", [], "newest"], ["facets", ""], ["cases"], ["case", "c"], ["trash"]];
  const others = [["manifest", "s"], ["account"], ["jobs"]];
  for (const key of [...lists, ...others]) client.setQueryData(key, {});
  await refreshSlides(client);
  const isStale = (key: unknown[]): boolean => client.getQueryState(key)!.isInvalidated;
  expect(lists.map(isStale)).toEqual(lists.map(() => true));
  expect(others.map(isStale)).toEqual(others.map(() => false));
  client.clear();
});

describe("changing a slide", () => {
  it("sends the changed members only, and makes the lists stale", async () => {
    const asked = stubFetch(servedManifest());
    queryClient.setQueryData(["cases"], []);
    await captured(useChangeSlide).mutateAsync({ id: "s", title: "B" });
    expect(asked).toMatchObject([{ line: "PATCH /api/v1/slides/s", body: { title: "B" } }]);
    expect(queryClient.getQueryState(["cases"])!.isInvalidated).toBe(true);
  });

  it("that is refused leaves the lists as they are", async () => {
    stubFetch(problemResponse(403, "forbidden"));
    queryClient.setQueryData(["cases"], []);
    await expect(captured(useChangeSlide).mutateAsync({ id: "s", title: "B" })).rejects.toThrow(ProblemError);
    expect(queryClient.getQueryState(["cases"])!.isInvalidated).toBe(false);
  });
});

describe("the pages of the list of slides", () => {
  const useDucts = () => useSlides("duct");
  const pageOf = (slides: number, total: number) => ({ slides: Array.from({ length: slides }, () => ({})), total });

  it.each([
    ["are more while slides are missing", [2, 2], 5, true],
    ["end when all slides are there", [2, 2], 4, false],
    ["end where slides were deleted meanwhile and more are there than the total", [2, 2], 3, false],
    ["are one where there is no slide", [0], 0, false],
  ])("%s", (_, lengths, total, more) => {
    queryClient.setQueryData(["slides", "duct", [], "newest"], {
      pages: lengths.map((length) => pageOf(length, total)),
      pageParams: lengths.map((_length, i) => i + 1),
    });
    expect(captured(useDucts).hasNextPage).toBe(more);
  });
});
