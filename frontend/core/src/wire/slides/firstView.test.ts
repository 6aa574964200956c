import { type MockInstance, afterEach, beforeEach, expect, it, vi } from "vitest";
import { problemResponse, stubFetch } from "../http/fetchStub";
import type { StoredResponses } from "../stored/slideStore";
import { slideStore } from "../stored/slideStore";
import { frameBytes, joinBytes, testManifest } from "../testing";
import type { Frame } from "./batchFrames";
import { type FirstPart, beginFirstView, takeFirstView } from "./firstView";
import { HttpSlideClient } from "./slideClient";

vi.mock("./layers", () => ({ splitLayers: (bytes: Uint8Array) => [...bytes].map((byte) => Uint8Array.of(byte)) }));

const manifest = { ...testManifest({ width: 1024, height: 1024, layers: 2 }), id: "s", digest: "d", top: 2 };
const BLOCKS = [
  [0, 0, 2, 0, 0, 0, 2],
  [0, 0, 1, 1, 0, 0, 1],
];
const END = frameBytes(0xffffffff, 0);

const headOf = (digest: string, blocks: unknown = BLOCKS): Uint8Array =>
  frameBytes(0, 0, new TextEncoder().encode(JSON.stringify({ digest, blocks })));
const answer = (...parts: readonly Uint8Array[]): Response =>
  new Response(joinBytes(...parts) as Uint8Array<ArrayBuffer>);
const nothing = (): Response => answer(headOf("d", []), END);
const VIEW = { width: 8, height: 6 };

let holds: boolean | null = false;
let lookUp: MockInstance;
beforeEach(() => {
  holds = false;
  lookUp = vi.spyOn(slideStore, "lookUp").mockImplementation(() => Promise.resolve(holds));
});
afterEach(() => {
  takeFirstView();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function clientOf() {
  const written = new Map<string, Uint8Array>();
  const stored: StoredResponses = {
    read: (names) => Promise.resolve(names.map(() => null)),
    write: (name, bytes) => void written.set(name, bytes),
  };
  const traffic = { requested: vi.fn(), received: vi.fn() };
  return { client: new HttpSlideClient(manifest, traffic, undefined, stored), traffic, written };
}

async function framesOf({ frames }: FirstPart): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

it("asks in parts before the manifest is here, and gives and stores what came (WI138, WI144)", async () => {
  const [coarse, fine] = BLOCKS;
  const requested = stubFetch(
    answer(headOf("d", [coarse]), frameBytes(1, 0, Uint8Array.of(7, 8)), END),
    answer(headOf("d", [fine]), frameBytes(1, 0, Uint8Array.of(9)), END),
    nothing(),
  );
  beginFirstView("s", { width: 800, height: 600, level: 1, x: -4, y: 5, z: 0 }, 3);
  const { client, written } = clientOf();
  const { parts } = (await client.firstView())!;
  expect(requested.map(({ line }) => line)).toEqual(
    [0, 1, 2].map(
      (part) => `GET /api/v1/slides/s/first-view?width=800&height=600&level=1&x=-4&y=5&z=0&part=${part}&parts=3`,
    ),
  );
  const ranges = parts.map((part) => part.ranges.map(({ address: a, from, to }) => [a.level, a.x, a.y, from, to]));
  expect(ranges).toEqual([[[2, 0, 0, 0, 2]], [[1, 1, 0, 0, 1]], []]);
  const frames = await Promise.all(parts.map(framesOf));
  expect(frames.map((some) => some.map(({ index, payload }) => [index, ...payload]))).toEqual([
    [[0, 7, 8]],
    [[0, 9]],
    [],
  ]);
  expect(Object.fromEntries([...written].map(([name, bytes]) => [name, [...bytes]]))).toEqual({
    "approximation/0/0?from=0&to=1": [7],
    "approximation/0/0?from=1&to=2": [8],
    "blocks/0/0/1/1/0/0": [9],
  });
});

it("takes an answer that ends before its last block, but not a stream that was cut (WI141)", async () => {
  stubFetch(
    answer(headOf("d"), frameBytes(1, 0, Uint8Array.of(7)), END),
    answer(headOf("d"), frameBytes(1, 0)),
    nothing(),
  );
  beginFirstView("s", VIEW, 3);
  const { parts } = (await clientOf().client.firstView())!;
  expect((await framesOf(parts[0]!)).length).toBe(1);
  await expect(framesOf(parts[1]!)).rejects.toThrow("cut short");
});

it.each([
  ["of another version", answer(headOf("e"), END)],
  ["malformed", answer(frameBytes(0, 0, Uint8Array.of(1)), END)],
  ["empty", answer()],
  ["refused", problemResponse(404, "unknown-slide")],
  ["no answer", new TypeError("no connection")],
])("is no help where it is %s", async (_, response) => {
  stubFetch(response);
  beginFirstView("s", VIEW, 3);
  expect((await clientOf().client.firstView())!.parts).toEqual([]);
});

it("is taken without the part that was refused (WI144)", async () => {
  stubFetch(nothing(), problemResponse(503, "unavailable"), nothing());
  beginFirstView("s", VIEW, 3);
  expect((await clientOf().client.firstView())!.parts.length).toBe(2);
});

it("is not waited for once the manifest was here for three seconds (PG9)", async () => {
  vi.useFakeTimers();
  let aborted = 0;
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
    return new Promise((_done, fail) => {
      signal!.addEventListener("abort", () => {
        aborted += 1;
        fail(new DOMException("aborted", "AbortError"));
      });
    });
  });
  beginFirstView("s", VIEW, 3);
  const view = clientOf().client.firstView();
  await vi.advanceTimersByTimeAsync(3001);
  expect([(await view)!.parts, aborted]).toEqual([[], 3]);
});

it("is not asked for where blocks of the slide are stored (WI142)", async () => {
  holds = true;
  const requested = stubFetch(answer(END));
  beginFirstView("s", VIEW, 3);
  expect([(await clientOf().client.firstView())!.parts, requested]).toEqual([[], []]);
});

it("waits for what is to come before it, also where that fails (PG9)", async () => {
  const requested = stubFetch(nothing());
  let fail!: (reason: Error) => void;
  const before = new Promise((_, reject) => (fail = reject));
  beginFirstView("s", { ...VIEW, level: 0 }, 1, before);
  await vi.waitFor(() => expect(lookUp).toHaveResolved());
  await new Promise((done) => setTimeout(done)); // what follows from it without a wait has happened
  expect(requested).toEqual([]);
  fail(new Error("no service"));
  await vi.waitFor(() => expect(requested).toHaveLength(1));
});

it("is asked for once, and given up for another slide (PG9)", async () => {
  const requested = stubFetch(answer(headOf("d"), END));
  beginFirstView("s", VIEW, 3);
  beginFirstView("s", VIEW, 3);
  await vi.waitFor(() => expect(requested.length).toBe(3));
  const first = takeFirstView("other");
  expect([first, takeFirstView("s")]).toEqual([null, null]);
  expect(clientOf().client.firstView()).toBeNull();
});
