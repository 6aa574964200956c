import { afterEach, expect, it, vi } from "vitest";
import type { Job, Qualities } from "@wavescope/core/wire/catalog/jobs";
import type { Measure } from "@wavescope/core/wire/catalog/advice";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import {
  adoptJobs,
  begin,
  cancel,
  changeQuality,
  dismiss,
  incoming,
  sendFiles,
  onFileNeedsDecision,
  whenSlideArrives,
  tryAgain,
} from "./uploads";

const wire = vi.hoisted(() => ({
  sent: [] as {
    name: string;
    quality: string;
    channelQuality: string;
    progress: (sent: number, total: number) => void;
    job: (id: string) => void;
    done: (job: unknown) => void;
    fail: (error: unknown) => void;
  }[],
  followed: new Map<string, (job: unknown) => void>(),
  cancelled: [] as string[],
  started: [] as string[],
  jobs: [] as unknown[],
}));

vi.mock("@wavescope/core/wire/catalog/advice", () => ({
  startJob: (
    id: string,
    { quality, channelQuality }: Qualities,
    { replace = "", time = 1 }: { replace?: string; time?: number } = {},
  ) => {
    const own = channelQuality === quality ? "" : `(${channelQuality})`;
    wire.started.push([id, quality, own, replace, time > 1 ? `t${time}` : ""].filter(Boolean).join(" "));
    return Promise.resolve(job({ id, state: "queued", quality, channelQuality, time }));
  },
}));

vi.mock("@wavescope/core/wire/catalog/resumableUpload", () => ({
  upload: (
    file: { name: string },
    { quality, channelQuality }: Qualities,
    progress: (sent: number, total: number) => void,
    onJob: (id: string) => void,
  ) => {
    let abort = (): void => undefined;
    const job = new Promise((done, fail) => {
      abort = () => fail(new DOMException("aborted", "AbortError"));
      wire.sent.push({ name: file.name, quality, channelQuality, progress, job: onJob, done, fail });
    });
    return { job, abort: () => abort() };
  },
}));

vi.mock("@wavescope/core/wire/catalog/followJob", () => ({
  followJob: (id: string, onJob: (job: unknown) => void) => {
    wire.followed.set(id, onJob);
    return () => wire.followed.delete(id);
  },
}));

vi.mock("@wavescope/core/wire/catalog/catalogClient", () => ({
  cancelJob: (id: string) => Promise.resolve(wire.cancelled.push(id)),
  listJobs: () => Promise.resolve(wire.jobs),
}));

const file = (name: string): File => ({ name, size: 10 }) as File;
const job = (change: Partial<Job>): Job => ({
  id: "j",
  state: "running",
  filename: "a.svs",
  slideId: null,
  done: 0,
  total: 0,
  secondsLeft: null,
  quality: "visual",
  channelQuality: "visual",
  time: 1,
  reencodes: null,
  storedAs: [],
  notices: [],
  error: null,
  ...change,
});
const choice = (quality: string, measure: Measure | null = null, time = 1) => ({ quality, measure, time });
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const phases = (): string[] => incoming.getState().map((one) => `${one.name} ${one.phase}`);

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
});

afterEach(() => {
  for (const one of incoming.getState()) cancel(one.key);
  incoming.setState([], true);
  wire.sent.length = 0;
  wire.cancelled.length = 0;
  wire.started.length = 0;
  wire.jobs.length = 0;
  stored.clear();
});

it("follows a file from sending to a slide", async () => {
  const arrived = vi.fn();
  whenSlideArrives(arrived);
  sendFiles([file("a.svs")]);
  wire.sent[0]!.progress(5, 10);
  expect(incoming.getState()[0]).toMatchObject({ phase: "sending", progress: 0.5 });
  wire.sent[0]!.done(job({ state: "queued" }));
  await turn();
  expect(phases()).toEqual(["a.svs waiting"]);
  wire.followed.get("j")!(job({ done: 1, total: 4, secondsLeft: 9 }));
  expect(incoming.getState()[0]).toMatchObject({ phase: "ingesting", progress: 0.25, secondsLeft: 9 });
  wire.followed.get("j")!(job({ state: "done", slideId: "a" }));
  expect(incoming.getState()[0]).toMatchObject({ phase: "done", slideId: "a" });
  expect(arrived).toHaveBeenCalledOnce();
});

it("asks about a file that is held, once it is there", async () => {
  const held = vi.fn();
  onFileNeedsDecision(held);
  sendFiles([file("a.svs")]);
  expect(held).not.toHaveBeenCalled();
  wire.sent[0]!.done(job({ state: "held" }));
  await turn();
  expect(phases()).toEqual(["a.svs held"]);
  expect(held).toHaveBeenCalledOnce();
});

it("sends files in the quality chosen last, and remembers another one", async () => {
  sendFiles([file("a.svs")]);
  expect(wire.sent[0]!.quality).toBe("visual");
  await changeQuality(incoming.getState()[0]!.key, choice("lossless"));
  sendFiles([file("b.svs")]);
  expect(wire.sent[1]!.quality).toBe("lossless");
  wire.sent[0]!.done(job({ state: "queued", id: "ja" }));
  await turn();
  expect(wire.started, "changed while it was being sent").toEqual(["ja lossless"]);
  expect(incoming.getState()[1]).toMatchObject({ phase: "waiting", quality: "lossless" });
});

it("begins a running job once more in another quality", async () => {
  sendFiles([file("a.svs")]);
  wire.sent[0]!.done(job({ id: "ja", done: 3, total: 4 }));
  await turn();
  await changeQuality(incoming.getState()[0]!.key, choice("lossless"));
  expect(wire.started).toEqual(["ja lossless"]);
  expect(incoming.getState()[0]).toMatchObject({ phase: "waiting", progress: null, quality: "lossless" });
});

it("begins with a time point, and with the quality of channels once it is known that the file has them", async () => {
  sendFiles([file("a.nd2")]);
  await changeQuality(incoming.getState()[0]!.key, choice("40dB"));
  wire.sent[0]!.done(job({ state: "queued", id: "ja" }));
  await turn();
  await changeQuality(incoming.getState()[0]!.key, choice("0.3sigma", "sigma", 3));
  expect(wire.started).toEqual(["ja 40dB (visual)", "ja 0.3sigma t3"]);
  expect(incoming.getState()[0]).toMatchObject({ quality: "0.3sigma", time: 3 });
  sendFiles([file("b.nd2")]);
  expect(wire.sent[1]).toMatchObject({ quality: "40dB", channelQuality: "0.3sigma" });
});

it("replaces the slide of a file that is stored already, or keeps both", async () => {
  sendFiles([file("a.svs"), file("b.svs")]);
  wire.sent[0]!.done(job({ id: "ja", state: "held", storedAs: ["a"] }));
  wire.sent[1]!.done(job({ id: "jb", state: "held", storedAs: ["b", "c"] }));
  await turn();
  const [b, a] = incoming.getState();
  expect(b!.storedAs).toEqual(["b", "c"]);
  await begin(a!.key, "a");
  await begin(b!.key);
  expect(wire.started).toEqual(["ja visual a", "jb visual"]);
  expect(phases()).toEqual(["a.svs waiting", "a.svs waiting"]);
});

it("runs a job again that was stopped, as it was (WI135)", async () => {
  sendFiles([file("a.svs")]);
  wire.sent[0]!.done(job({ id: "ja" }));
  await turn();
  wire.followed.get("ja")!(job({ id: "ja", state: "held", error: { title: "Unavailable", detail: "killed" } }));
  expect(incoming.getState()[0]).toMatchObject({ phase: "held", reason: "killed" });
  tryAgain(incoming.getState()[0]!.key);
  await turn();
  expect(wire.started).toEqual(["ja visual"]);
  expect(incoming.getState()[0]).toMatchObject({ phase: "waiting", reason: null });
});

it("says why an upload or a job failed", async () => {
  sendFiles([file("a.svs"), file("b.svs")]);
  wire.sent[0]!.fail(new Error("the file is empty"));
  wire.sent[1]!.done(
    job({ state: "failed", filename: "b.svs", error: { title: "Unreadable", detail: "not a slide" } }),
  );
  await turn();
  expect(incoming.getState().map((one) => [one.phase, one.reason])).toEqual([
    ["failed", "not a slide"],
    ["failed", "the file is empty"],
  ]);
});

it("sends a file again that the service could not accept now, until it is cancelled (OP47)", async () => {
  vi.useFakeTimers();
  const away = new ProblemError("unavailable", 503, "Not available now", "the database does not answer");
  sendFiles([file("a.svs")]);
  wire.sent[0]!.fail(away);
  await vi.advanceTimersByTimeAsync(1000);
  expect(incoming.getState().map((one) => [one.phase, one.reason])).toEqual([["waiting", away.detail]]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(wire.sent.length).toBe(2);
  expect(incoming.getState()[0]!.reason).toBeNull();
  wire.sent[1]!.fail(away);
  await vi.advanceTimersByTimeAsync(0);
  cancel(incoming.getState()[0]!.key);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([phases(), wire.sent.length]).toEqual([["a.svs cancelled"], 2]);
  vi.useRealTimers();
});

it("gives up a file that is refused for minutes (OP47)", async () => {
  vi.useFakeTimers();
  sendFiles([file("a.svs")]);
  for (let sent = 0; sent < wire.sent.length; sent += 1) {
    wire.sent[sent]!.fail(new ProblemError("unavailable", 503, "Not available now", "this service runs no jobs"));
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect([wire.sent.length, phases()]).toEqual([7, ["a.svs failed"]]);
  vi.useRealTimers();
});

it("sends two files at a time and the next when one has gone", async () => {
  sendFiles(["a", "b", "c"].map(file));
  expect(wire.sent.map((one) => one.name)).toEqual(["a", "b"]);
  wire.sent[0]!.done(job({ filename: "a" }));
  await turn();
  expect(wire.sent.map((one) => one.name)).toEqual(["a", "b", "c"]);
});

it("cancels a file in any phase", async () => {
  sendFiles(["a", "b", "c"].map(file));
  const [c, b, a] = incoming.getState();
  wire.sent[0]!.done(job({ filename: "a", id: "ja" }));
  await turn();
  cancel(a!.key);
  cancel(b!.key);
  await turn();
  expect(wire.cancelled).toEqual(["ja"]);
  expect(phases()).toContain("b cancelled");
  cancel(c!.key);
  await turn();
  expect(phases()).toContain("c cancelled");
});

it("removes the record of an ended job with the entry", async () => {
  sendFiles([file("a")]);
  wire.sent[0]!.done(job({ state: "cancelled", id: "old" }));
  await turn();
  dismiss(incoming.getState()[0]!.key);
  expect(incoming.getState()).toEqual([]);
  expect(wire.cancelled).toEqual(["old"]);
});

it("goes on with the same entry where what the service said of its job was lost; none is there twice or sent again", async () => {
  sendFiles([file("a.svs")]);
  wire.sent[0]!.job("ja");
  wire.sent[0]!.fail(new ProblemError("unavailable", 503, "Not available now", "the database does not answer"));
  await turn();
  expect(phases()).toEqual(["a.svs failed"]);
  wire.jobs.push(job({ id: "ja", done: 1, total: 4 }));
  await adoptJobs();
  expect([phases(), wire.sent.length]).toEqual([["a.svs ingesting"], 1]);
  wire.followed.get("ja")!(job({ id: "ja", state: "failed", error: { title: "x", detail: "not a slide" } }));
  wire.jobs.splice(0, 1, job({ id: "ja", state: "failed", error: { title: "x", detail: "not a slide" } }));
  await adoptJobs();
  expect(phases()).toEqual(["a.svs failed"]);
});
