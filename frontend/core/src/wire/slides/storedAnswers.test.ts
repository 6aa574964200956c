import { expect, it, vi } from "vitest";
import type { StoredResponses } from "../stored/slideStore";
import { testManifest } from "../testing";
import { FRAME_STATUS, type Frame } from "./batchFrames";
import { HttpSlideClient } from "./slideClient";

/** A layer of one byte as the wire has it: what it holds is of no matter here. */
const layer = (byte: number) => Uint8Array.of(byte);
vi.mock("./layers", () => ({ splitLayers: (bytes: Uint8Array) => [...bytes].map((byte) => Uint8Array.of(byte)) }));

const address = (x: number) => ({ z: 0, c: 0, level: 0, x, y: 0 });
const traffic = { requested: vi.fn(), received: vi.fn() };

function frames(payloads: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const parts = [...payloads.entries()].flatMap(([index, payload]) => {
    const head = new DataView(new ArrayBuffer(12));
    head.setUint32(0, index, true);
    head.setUint32(8, payload.length, true);
    return [...new Uint8Array(head.buffer), ...payload];
  });
  return Uint8Array.from([...parts, 255, 255, 255, 255, ...new Uint8Array(8)]);
}

function stored(known: Record<string, Uint8Array>): StoredResponses & { readonly written: Map<string, Uint8Array> } {
  const written = new Map<string, Uint8Array>();
  return {
    written,
    read: (names) => Promise.resolve(names.map((name) => known[name] ?? null)),
    write: (name, bytes) => void written.set(name, bytes),
  };
}

async function all(batch: AsyncIterable<Frame>): Promise<Frame[]> {
  const list: Frame[] = [];
  for await (const frame of batch) list.push(frame);
  return list;
}

it("gives stored blocks without a request, and requests and stores the others (PG20)", async () => {
  const store = stored({ "blocks/0/0/0/1/0/0": Uint8Array.of(7, 8), "blocks/0/0/0/2/0/0": Uint8Array.of(5) });
  const asked: unknown[] = [];
  const fetcher = vi.fn((_url: string, init?: RequestInit) => {
    asked.push(...(JSON.parse(init?.body as string) as { blocks: unknown[] }).blocks);
    return Promise.resolve(new Response(frames([layer(1), Uint8Array.of(2, 3)])));
  });
  const client = new HttpSlideClient(testManifest(), traffic, fetcher, store);
  const ranges = [
    { address: address(0), from: 0, to: 1 },
    { address: address(1), from: 0, to: 1 }, // two layers are stored
    { address: address(2), from: 0, to: 2 }, // one layer is stored
  ];
  const given = await all(client.batch(ranges));
  expect(given.map((frame) => frame.stored === true)).toEqual([true, false, false]); // of the store: no measure of the link (WI122)
  expect(given.map(({ index, status, payload }) => [index, status, ...payload])).toEqual([
    [1, FRAME_STATUS.ok, 7],
    [0, FRAME_STATUS.ok, 1],
    [2, FRAME_STATUS.ok, 2, 3],
  ]);
  expect(asked).toEqual([
    [0, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 2, 0, 0, 2],
  ]);
  expect([...store.written.keys()]).toEqual(["blocks/0/0/0/0/0/0", "blocks/0/0/0/2/0/0"]);
  expect(await all(client.batch([ranges[1]!]))).toHaveLength(1);
  expect(fetcher).toHaveBeenCalledTimes(1);
});
