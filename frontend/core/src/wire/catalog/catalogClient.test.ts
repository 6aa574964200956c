import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { problemResponse, stubFetch } from "../http/fetchStub";
import { servedJob, servedManifest } from "../testing";
import * as client from "./catalogClient";
import { followJob } from "./followJob";
import { openManifest } from "../slides/manifestClient";
import type { Job } from "./jobs";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("the list of slides", () => {
  const list = (slides: unknown[]) => ({ slides, total: 70, page: 1, pages: 2, per_page: 60 });

  it("WI6: asks for a page in an order, narrowed down by words and labels", async () => {
    const requested = stubFetch(list([]));
    const query = { search: "duct", labels: ["vendor:a", "tag.stain:b"], sort: "title" } as const;
    expect(await client.listSlides(query, 2)).toEqual({ slides: [], total: 70 });
    expect(requested[0]!.line).toBe(
      "GET /api/v1/slides?page=2&per_page=60&sort=title&label=vendor%3Aa&label=tag.stain%3Ab&search=duct",
    );
  });

  it("asks for the first page of everything by default", async () => {
    const requested = stubFetch(list([]));
    await client.listSlides({ search: "", labels: [], sort: "newest" });
    expect(requested[0]!.line).toBe("GET /api/v1/slides?page=1&per_page=60&sort=newest");
  });

  it("adds up the stored bytes of a slide", async () => {
    stubFetch(list([{ ...servedManifest(), bytes: [[1, 2], [3, 4], [5]] }]));
    const { slides } = await client.listSlides({ search: "", labels: [], sort: "newest" });
    expect(slides[0]!.bytes).toBe(15);
  });
});

it("opens a slide by its id and refuses a manifest whose parts do not fit", async () => {
  const requested = stubFetch(servedManifest(), { ...servedManifest(), levels: 9 });
  expect(await openManifest("a/b")).toMatchObject({ id: "s", top: 2 });
  expect(requested[0]!.line).toBe("GET /api/v1/slides/a%2Fb");
  await expect(openManifest("s")).rejects.toMatchObject({ path: "/levels" });
});

it("changes the title and removes a tag", async () => {
  const requested = stubFetch(servedManifest());
  await client.changeSlide("s", { title: "B", tags: { stain: null, organ: "breast" } });
  expect(requested[0]).toMatchObject({
    line: "PATCH /api/v1/slides/s",
    body: { title: "B", tags: { stain: null, organ: "breast" } },
  });
});

it("changes the tags of several slides by one request", async () => {
  const requested = stubFetch(null);
  await client.tagSlides(["s", "t"], { stain: "HE", block: null });
  const body = { slides: ["s", "t"], tags: { stain: "HE", block: null } };
  expect(requested).toMatchObject([{ line: "PATCH /api/v1/slides", body }]);
});

it("moves a slide into the trash", async () => {
  const requested = stubFetch(null);
  await client.deleteSlide("s");
  expect(requested[0]!.line).toBe("DELETE /api/v1/slides/s");
});

describe("jobs", () => {
  it("are listed, read and cancelled", async () => {
    const requested = stubFetch({ jobs: [servedJob({ id: "a" })] }, servedJob({ id: "b" }));
    expect((await client.listJobs()).map(({ id }) => id)).toEqual(["a"]);
    expect(await client.readJob("b")).toMatchObject({ id: "b", state: "running" });
    await client.cancelJob("b/c");
    expect(requested.map(({ line }) => line)).toEqual([
      "GET /api/v1/jobs",
      "GET /api/v1/jobs/b",
      "DELETE /api/v1/jobs/b%2Fc",
    ]);
  });

  it("show their slide through the source file before it is there", async () => {
    const { created, updated, editable, format, version, ...rest } = servedManifest();
    const { plane_spacing_um, icc, codec, index_page, source, sizes, allowed, scale, bytes, ...others } = rest;
    const { parameters, channel_groups, bit_depth, signed, ...preview } = others;
    const requested = stubFetch({ ...preview, layers: 1, profile: "preview", preview: true });
    expect(await client.openPreview("j")).toMatchObject({ preview: true, layers: 1, allowed: null, bytes: null });
    expect(requested[0]!.line).toBe("GET /api/v1/jobs/j/preview");
  });
});

describe("following a job", () => {
  class FakeEvents {
    static opened: FakeEvents[] = [];
    readonly listeners = new Map<string, (event: { data: string }) => void>();
    closed = false;
    constructor(readonly url: string) {
      FakeEvents.opened.push(this);
    }
    addEventListener = (name: string, listener: (event: { data: string }) => void) =>
      this.listeners.set(name, listener);
    close = (): void => void (this.closed = true);
    say(change: Parameters<typeof servedJob>[0]): void {
      this.listeners.get("job")!({ data: JSON.stringify(servedJob(change)) });
    }
    break(): void {
      this.listeners.get("error")!({ data: "" });
    }
  }
  const stops: (() => void)[] = [];
  const follow = (id: string, seen: Job[] = []): Job[] => {
    stops.push(followJob(id, (job) => seen.push(job), 1000));
    return seen;
  };
  const states = (jobs: readonly Job[]): string[] => jobs.map(({ state }) => state);

  beforeEach(() => {
    vi.useFakeTimers();
    FakeEvents.opened = [];
    vi.stubGlobal("EventSource", FakeEvents);
  });
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  it("WI28: reports each event until the job has ended, and then closes the stream", () => {
    const seen = follow("j/1");
    const events = FakeEvents.opened[0]!;
    expect(events.url).toBe("/api/v1/jobs/j%2F1/events");
    events.say({ state: "running", done: 1 });
    events.say({ state: "done", slide_id: "he" });
    events.say({ state: "failed" });
    expect(states(seen)).toEqual(["running", "done"]);
    expect(events.closed).toBe(true);
  });

  it("asks once a second where the stream breaks, also while the service does not answer", async () => {
    const requested = stubFetch(servedJob(), new TypeError("offline"), servedJob({ state: "done" }));
    const seen = follow("j");
    FakeEvents.opened[0]!.break();
    await vi.advanceTimersByTimeAsync(0);
    expect([states(seen), FakeEvents.opened[0]!.closed]).toEqual([["running"], true]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(states(seen)).toEqual(["running"]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(states(seen)).toEqual(["running", "done"]);
    expect(requested).toHaveLength(3);
  });

  it("stops asking when the job is gone", async () => {
    const requested = stubFetch(problemResponse(404, "unknown-job"));
    follow("j");
    FakeEvents.opened[0]!.break();
    await vi.advanceTimersByTimeAsync(5000);
    expect(requested).toHaveLength(1);
  });

  it("opens two streams at most and asks for the other jobs; a stream that is closed can be used again", async () => {
    const requested = stubFetch(servedJob({ id: "c" }));
    follow("a");
    follow("b");
    follow("c");
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeEvents.opened.map(({ url }) => url)).toEqual(["/api/v1/jobs/a/events", "/api/v1/jobs/b/events"]);
    expect(requested.map(({ line }) => line)).toEqual(["GET /api/v1/jobs/c"]);
    stops[0]!();
    follow("d");
    expect(FakeEvents.opened).toHaveLength(3);
  });

  it("reports nothing after it is stopped", async () => {
    const requested = stubFetch(servedJob());
    const seen = follow("j");
    const events = FakeEvents.opened[0]!;
    stops[0]!();
    events.say({});
    events.break();
    await vi.advanceTimersByTimeAsync(3000);
    expect([seen, requested, events.closed]).toEqual([[], [], true]);
  });
});
