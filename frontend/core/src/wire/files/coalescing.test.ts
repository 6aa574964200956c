import { describe, expect, it } from "vitest";
import { CorruptError, OfflineError } from "../http/errors";
import { CoalescingReader } from "./coalescing";
import { memoryFolder } from "./testing";

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
const traffic = { requested: () => undefined, received: () => undefined };

function reading() {
  const folder = memoryFolder(new Map([["a", bytes]]));
  return { folder, reader: new CoalescingReader(folder, traffic, queueMicrotask) };
}

describe("CoalescingReader", () => {
  it("reads what is requested in one task in one range, and gives each its part (SH6)", async () => {
    const { folder, reader } = reading();
    const parts = await Promise.all([reader.read("a", 100, 200), reader.read("a", 0, 100), reader.read("a", 205, 300)]);
    expect(folder.reads).toEqual(["a 0-300"]);
    expect(parts).toEqual([bytes.slice(100, 200), bytes.slice(0, 100), bytes.slice(205, 300)]);
  });

  it("reads parts one by one where together they fail: what is damaged damages nothing else (SH8)", async () => {
    const { reader } = reading();
    const found = await Promise.allSettled([reader.read("a", 900, 1000), reader.read("a", 1000, 1100)]);
    expect(found[0]).toEqual({ status: "fulfilled", value: bytes.slice(900) });
    expect(found[1]).toMatchObject({ status: "rejected", reason: expect.any(CorruptError) as unknown });
  });

  it("aborts a read when nothing waits for it any more, and not before", async () => {
    const signals: AbortSignal[] = [];
    const folder = {
      ...memoryFolder(new Map()),
      read: (_path: string, _from: number, _to: number, signal?: AbortSignal) =>
        new Promise<Uint8Array>((_, reject) => {
          signals.push(signal!);
          signal!.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        }),
    };
    const reader = new CoalescingReader(folder, traffic, (work) => work());
    const [one, other] = [new AbortController(), new AbortController()];
    const gathered = new CoalescingReader(folder, traffic, queueMicrotask);
    const waiting = [gathered.read("a", 0, 10, one.signal), gathered.read("a", 10, 20, other.signal)];
    const results = Promise.allSettled(waiting);
    await Promise.resolve();
    expect(signals).toHaveLength(1);
    one.abort();
    expect(signals[0]!.aborted).toBe(false);
    other.abort();
    expect(signals[0]!.aborted).toBe(true);
    for (const result of await results)
      expect(result).toMatchObject({ status: "rejected", reason: { name: "AbortError" } });
    reader.close();
  });

  it("has at most six reads underway, and goes on after a failure", async () => {
    let underway = 0;
    let most = 0;
    const folder = {
      ...memoryFolder(new Map()),
      read: async (path: string, from: number, to: number) => {
        most = Math.max(most, (underway += 1));
        await Promise.resolve();
        underway -= 1;
        if (path === "f3") throw new OfflineError("away");
        return new Uint8Array(to - from);
      },
    };
    const reader = new CoalescingReader(folder, traffic, queueMicrotask);
    const found = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => reader.read(`f${i}`, 0, 5)));
    expect(found.map(({ status }) => status === "fulfilled")).toEqual(Array.from({ length: 20 }, (_, i) => i !== 3));
    expect(most).toBe(6);
  });

  it("refuses a part that no block has, before it is read (SH8)", async () => {
    const { folder, reader } = reading();
    await expect(reader.read("a", 0, 65 << 20)).rejects.toBeInstanceOf(CorruptError);
    expect(folder.reads).toEqual([]);
  });
});
