import { afterEach, expect, it, vi } from "vitest";
import { type EncodingPort, type Progress, encoded, fileName } from "./encodeLocal";
import type { FromEncoding, Order, ToEncoding } from "./protocol";

const ORDER: Order = {
  type: "start",
  module: {},
  file: new Blob(["file"]),
  source: { width: 2, height: 1, format: "svs", bytes: 4, tileBytes: null },
  quality: "visual",
  title: "Case 1",
  helpers: [],
};

/** What the page and a worker send to each other. */
function conversation(readRegion: () => Promise<Uint8Array> = () => Promise.resolve(Uint8Array.of(1, 2, 3, 4, 5, 6))) {
  const sent: ToEncoding[] = [];
  const terminate = vi.fn();
  const port: EncodingPort = { postMessage: (m) => void sent.push(m), terminate, onmessage: null, onerror: null };
  const progress: Progress[] = [];
  const cancel = new AbortController();
  const result = encoded(port, ORDER, { readRegion }, (one) => progress.push(one), cancel.signal);
  const receive = (data: FromEncoding): void => port.onmessage!({ data } as MessageEvent<FromEncoding>);
  return { sent, terminate, progress, cancel, result, receive };
}

afterEach(() => vi.useRealTimers());

it("gives the worker the pixels that it asks for, and the page the slide (LI22)", async () => {
  const { sent, receive, result, terminate } = conversation();
  receive({ type: "read", id: 7, region: [0, 0, 2, 1] });
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ type: "pixels", id: 7, pixels: { width: 2, height: 1 } });
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

it("fails with what the picture says of a file that cannot be read, or for want of space (LI22)", async () => {
  const damaged = new Error("the tile at 3, 4 is damaged");
  const first = conversation(() => Promise.reject(damaged));
  first.receive({ type: "read", id: 1, region: [0, 0, 2, 1] });
  await vi.waitFor(() => expect(first.sent.at(-1)).toMatchObject({ type: "unreadable", id: 1 }));
  first.receive({ type: "failed", name: "Error", message: "other words" });
  await expect(first.result).rejects.toBe(damaged);
  const second = conversation();
  second.receive({ type: "failed", name: "QuotaExceededError", message: "full" });
  await expect(second.result).rejects.toMatchObject({ storageFull: true });
  expect(second.sent.at(-1)).toEqual({ type: "remove" });
});
