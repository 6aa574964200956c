import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OfflineError, ProblemError } from "../http/errors";
import { problemResponse } from "../http/fetchStub";
import { servedJob } from "../testing";
import { upload } from "./resumableUpload";

/** What the service has of the file, and the requests that it received. */
let arrived = 0;
let asked: string[] = [];
let became = "";
let full = false;
/** How often the service does not answer, or with 503, what became of a job. */
let lost = 0;
/** Ids of jobs that were reported. */
let known: string[] = [];
/** What happens to each attempt to send: how many bytes arrive, and how it ends. */
let attempts: { readonly bytes: number; readonly end: "lost" | number; readonly problem?: string }[] = [];

const file = new File([new Uint8Array(10)], "a ü.svs");

class FakeRequest {
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  onload = (): void => undefined;
  onerror = (): void => undefined;
  onabort = (): void => undefined;
  status = 0;
  statusText = "";
  responseText = "";
  headers: Record<string, string> = {};
  open = (method: string, url: string): void => void asked.push(`${method} ${url}`);
  setRequestHeader = (name: string, value: string): void => void (this.headers[name] = value);
  getResponseHeader = (name: string): string | null => (name === "Upload-Offset" ? String(arrived) : became || null);
  abort = (): void => this.onabort();
  send(body: Blob): void {
    const attempt = attempts.shift();
    if (!attempt) return; // it takes long
    asked.push(`from ${this.headers["Upload-Offset"]}: ${body.size} bytes`);
    arrived += attempt.bytes;
    this.upload.onprogress?.({ loaded: attempt.bytes });
    if (arrived === file.size) became = "/api/v1/jobs/j1";
    queueMicrotask(() => {
      if (attempt.end === "lost") return this.onerror();
      this.status = attempt.end;
      this.responseText = JSON.stringify({ type: `/problems/${attempt.problem ?? ""}`, title: "x", detail: "x" });
      this.onload();
    });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  [arrived, asked, became, attempts, full, lost, known] = [0, [], "", [], false, 0, []];
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    asked.push(`${init.method ?? "GET"} ${url}`);
    if (init.method === "POST") {
      asked.push((init.headers as Record<string, string>)["Upload-Metadata"]!);
      return Promise.resolve(new Response(null, { status: 201, headers: { location: `${url}/u1` } }));
    }
    if (init.method === "PATCH" && full)
      return Promise.resolve(problemResponse(507, "store-full", "2 GB are available"));
    if (url.includes("/jobs/") && lost > 0)
      return (lost -= 1) % 2 === 0
        ? Promise.reject(new TypeError("Failed to fetch"))
        : Promise.resolve(problemResponse(503, "unavailable", "the database does not answer"));
    const headers = { "Upload-Offset": String(arrived), ...(became && { "Content-Location": became }) };
    const job = url.includes("/jobs/")
      ? JSON.stringify(servedJob({ id: "j1", state: "held", stored_as: ["he"] }))
      : null;
    return Promise.resolve(new Response(job, { status: 200, headers }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const U1 = "/api/v1/uploads/resumable/u1";

async function sent(progress = vi.fn()) {
  const { job } = upload(file, { quality: "lossless", channelQuality: "lossless" }, progress, (id) => known.push(id));
  const ended = job.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { result: await ended, progress };
}

it("WI95, WI72: sends the file in one piece and asks what becomes of one that is stored already", async () => {
  attempts = [{ bytes: 10, end: 204 }];
  const { result, progress } = await sent();
  expect(result).toMatchObject({ state: "held", storedAs: ["he"] });
  expect(asked).toEqual([
    "POST /api/v1/uploads/resumable",
    "filename YSDDvC5zdnM=,quality bG9zc2xlc3M=,ask_if_stored dHJ1ZQ==",
    `PATCH ${U1}`,
    "from 0: 10 bytes",
    "GET /api/v1/jobs/j1",
  ]);
  expect(progress.mock.calls).toEqual([[10, 10]]);
});

it("WI96: after a broken connection sends only what has not arrived", async () => {
  attempts = [
    { bytes: 4, end: "lost" },
    { bytes: 0, end: "lost" },
    { bytes: 0, end: 423, problem: "upload-busy" },
    { bytes: 6, end: 204 },
  ];
  const { result, progress } = await sent();
  expect(result).toMatchObject({ state: "held" });
  expect(asked.filter((line) => line.startsWith("from"))).toEqual([
    "from 0: 10 bytes",
    "from 4: 6 bytes",
    "from 4: 6 bytes",
    "from 4: 6 bytes",
  ]);
  expect(progress.mock.lastCall).toEqual([10, 10]);
});

it("WI96: finds the job although the last answer was lost", async () => {
  attempts = [{ bytes: 10, end: "lost" }];
  expect((await sent()).result).toMatchObject({ state: "held" });
  expect(asked.slice(-2)).toEqual([`HEAD ${U1}`, "GET /api/v1/jobs/j1"]);
});

it("gives up what is refused at once, and a link that stays away after minutes", async () => {
  attempts = [{ bytes: 0, end: 415, problem: "unsupported-source" }];
  expect((await sent()).result).toBeInstanceOf(ProblemError);
  attempts = Array.from({ length: 20 }, () => ({ bytes: 0, end: "lost" }) as const);
  expect((await sent()).result).toBeInstanceOf(OfflineError);
});

it("OP27: reports a full disk, which a browser sees only as a broken connection while it sends", async () => {
  attempts = [{ bytes: 4, end: "lost" }];
  full = true;
  expect((await sent()).result).toMatchObject({ problem: "store-full", message: "2 GB are available" });
  expect(asked.filter((line) => line.startsWith("from"))).toEqual(["from 0: 10 bytes"]);
  expect(asked.slice(-2)).toEqual([`HEAD ${U1}`, `PATCH ${U1}`]);
});

it("WI97: that is cancelled rejects with an abort and is removed", async () => {
  const { job, abort } = upload(file, { quality: "visual", channelQuality: "visual" }, vi.fn(), vi.fn());
  const ended = job.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10);
  abort();
  expect(await ended).toMatchObject({ name: "AbortError" });
  expect(asked.at(-1)).toBe(`DELETE ${U1}`);
});

it("WI96: asks again for a job whose answer was lost; the file is not sent a second time, and is not given up", async () => {
  attempts = [{ bytes: 10, end: 204 }];
  lost = 12; // longer than the waits for a lost connection
  const { result } = await sent();
  expect(result).toMatchObject({ id: "j1", state: "held" });
  expect(known).toEqual(["j1"]);
  expect(asked.filter((one) => one.startsWith("from"))).toEqual(["from 0: 10 bytes"]);
});
