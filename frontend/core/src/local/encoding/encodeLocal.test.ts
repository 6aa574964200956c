import { afterEach, expect, it, vi } from "vitest";
import { type EncodingPort, type Progress, encoded, fileName } from "./encodeLocal";
import type { FromEncoding, Order, ToEncoding } from "./protocol";

const ORDER: Order = {
  type: "start",
  module: {},
  file: new File(["file"], "name.svs"),
  quality: "visual",
  title: "Case 1",
  helpers: [],
};

/** What the page and a worker send to each other. */
function conversation() {
  const sent: ToEncoding[] = [];
  const terminate = vi.fn();
  const port: EncodingPort = { postMessage: (m) => void sent.push(m), terminate, onmessage: null, onerror: null };
  const progress: Progress[] = [];
  const cancel = new AbortController();
  const result = encoded(port, ORDER, (one) => progress.push(one), cancel.signal);
  const receive = (data: FromEncoding): void => port.onmessage!({ data } as MessageEvent<FromEncoding>);
  return { sent, terminate, progress, cancel, result, receive };
}

afterEach(() => vi.useRealTimers());

it("gives the page the slide, and ends the worker once it has removed its files (LI22)", async () => {
  const { sent, receive, result, terminate } = conversation();
  receive({ type: "done", digest: "d", archive: new Blob(["zip"]), codedBytes: 3 });
  const { file, digest, remove } = await result;
  expect([file.name, digest, await file.text()]).toEqual(["Case 1.wsz", "d", "zip"]);
  remove();
  expect(sent.at(-1)).toEqual({ type: "remove" });
  expect(terminate).not.toHaveBeenCalled(); // its files go first
  receive({ type: "removed" });
  expect(terminate).toHaveBeenCalledOnce();
});

it("names the file after the title (LI24)", () => {
  expect(fileName("Case 1.5: a/b\n")).toBe("Case 1.5- a-b-.wsz");
});

it("tells the share that is done and the time that is left (LI23)", () => {
  vi.useFakeTimers();
  const { receive, progress } = conversation();
  receive({ type: "hashed", done: 2, total: 4 });
  receive({ type: "hashed", done: 4, total: 4 });
  receive({ type: "encoded", done: 10, total: 100 });
  vi.advanceTimersByTime(4000);
  receive({ type: "encoded", done: 30, total: 100 });
  expect(progress.map(({ phase, share }) => [phase, share])).toEqual([
    ["hashing", 0.5],
    ["choosing", 1],
    ["encoding", 0.1],
    ["encoding", 0.3],
  ]);
  expect(progress.map(({ secondsLeft }) => secondsLeft)).toEqual([null, 0, null, 14]);
});

it("ends when it is cancelled, and has the worker remove what it has written (LI23)", async () => {
  const { sent, cancel, result, receive, terminate } = conversation();
  cancel.abort();
  await expect(result).rejects.toMatchObject({ name: "AbortError" });
  expect(sent.at(-1)).toEqual({ type: "remove" });
  receive({ type: "removed" });
  expect(terminate).toHaveBeenCalledOnce();
});

it("fails with what is wrong with the file, or for want of space (LI22)", async () => {
  const first = conversation();
  first.receive({ type: "failed", name: "SlideFileError", message: "its tile 3 is damaged", fault: "malformed" });
  await expect(first.result).rejects.toMatchObject({ fault: "malformed", message: "its tile 3 is damaged" });
  const second = conversation();
  second.receive({ type: "failed", name: "QuotaExceededError", message: "full", fault: null });
  await expect(second.result).rejects.toMatchObject({ storageFull: true });
  expect(second.sent.at(-1)).toEqual({ type: "remove" });
});
