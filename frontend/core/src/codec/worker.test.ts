import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { address } from "../geometry/pyramid";
import type { Kernel } from "./kernel";
import type { DecodeResponse, DecodeRequest, FromWorker, ToWorker } from "./protocol";

/** A kernel whose samples are all the number of layers; a layer that begins with 0 is corrupt, one with 1 breaks the kernel. */
const kernel: Kernel & { exports: { memory: { buffer: ArrayBuffer } } } = {
  exports: { memory: { buffer: new ArrayBuffer(64) } },
  readParameters: () => ({
    raw: new Int32Array(),
    kind: "approximation",
    profile: "visual",
    channels: 1,
    layers: 2,
    fractionBits: 0,
    bitDepth: 8,
    signed: false,
  }),
  decodeApproximation: ({ layers: [first, ...rest] }) => {
    if (first![0] === 0) throw new Error("checksum");
    if (first![0] === 1) throw new WebAssembly.RuntimeError("unreachable");
    return new Int16Array(8).fill(1 + rest.length);
  },
  decodeTile: (parent) => parent,
  decodePixels: (_parent, _block, size) => new Uint8ClampedArray(4 * size.width * size.height),
  pixels: (samples, _parameters, size) => new Uint8ClampedArray(4 * size.width * size.height).fill(samples[0]!),
  values: (samples) => samples,
};
vi.mock("./kernel", () => ({ loadKernel: () => Promise.resolve(kernel) }));

let sent: FromWorker[];
let transferred: Transferable[][];
let worker: { onmessage: (event: { data: ToWorker }) => void };
beforeEach(async () => {
  sent = [];
  transferred = [];
  worker = { onmessage: () => undefined };
  const postMessage = (message: FromWorker, transfer: Transferable[] = []): void => {
    sent.push(message);
    transferred.push(transfer);
  };
  vi.stubGlobal("self", Object.assign(worker, { postMessage }));
  vi.resetModules();
  await import("./worker");
});
afterEach(() => vi.unstubAllGlobals());

async function send(data: ToWorker): Promise<FromWorker> {
  const before = sent.length;
  worker.onmessage({ data });
  await vi.waitFor(() => expect(sent.length).toBe(before + 1));
  return sent[before]!;
}

/** The worker's answer to one request. */
async function decoded(id: number, one: DecodeRequest): Promise<DecodeResponse> {
  const message = await send({ type: "decode", id, requests: [one] });
  if (message.type !== "decoded") throw new Error(message.type);
  expect([message.id, message.responses.length]).toEqual([id, 1]);
  return message.responses[0]!;
}

const start = (budget = 1000): Promise<FromWorker> => send({ type: "start", module: {}, budget });

function request(change: Partial<DecodeRequest> = {}): DecodeRequest {
  const chain = [{ address: address(0, 1, 0, 0), parameters: "57", layers: [Uint8Array.of(2), Uint8Array.of(2)] }];
  return { slide: "s", chain, layers: 2, channels: 1, width: 2, height: 3, output: "pixels", ...change };
}
const beginning = (byte: number) => [{ address: address(0, 1, 0, 0), parameters: "57", layers: [Uint8Array.of(byte)] }];

describe("a decoding worker", () => {
  it("says when it is ready", async () => {
    expect(await start()).toEqual({ type: "ready" });
  });

  it("that has not been started answers all the same: it is the worker that failed, not a block", async () => {
    const response = await decoded(7, request());
    expect(response).toEqual({ type: "failed", address: null, reason: "the worker has not been started" });
  });

  it("transfers pixels instead of copying them", async () => {
    await start();
    const response = await decoded(7, request());
    if (response.type !== "pixels") throw new Error(response.type);
    expect([response.pixels.width, response.pixels.height]).toEqual([2, 3]);
    expect([...response.pixels.rgba]).toEqual(new Array(24).fill(2));
    expect(transferred[1]).toEqual([response.pixels.rgba.buffer]);
  });

  it("transfers a picture whose colours the browser has not changed", async () => {
    const bitmap = { width: 2, height: 3 };
    const make = vi.fn(() => Promise.resolve(bitmap));
    vi.stubGlobal("createImageBitmap", make);
    vi.stubGlobal("ImageData", function (data: Uint8ClampedArray, width: number, height: number) {
      return { data, width, height };
    });
    await start();
    const response = await decoded(8, request({ output: "bitmap" }));
    expect(response).toEqual({ type: "bitmap", bitmap });
    expect(transferred[1]).toEqual([bitmap]);
    expect(make).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ width: 2, height: 3 }), {
      colorSpaceConversion: "none",
      premultiplyAlpha: "premultiply",
    });
  });

  it("answers that the picture failed where the browser cannot make it", async () => {
    vi.stubGlobal("ImageData", function () {
      throw new RangeError("out of memory");
    });
    await start();
    const response = await decoded(8, request({ output: "bitmap" }));
    expect(response).toEqual({ type: "failed", address: null, reason: "out of memory" });
  });

  it("names the block that is corrupt, and goes on with the next request", async () => {
    await start();
    const bad = await decoded(1, request({ chain: beginning(0) }));
    expect(bad).toEqual({ type: "failed", address: address(0, 1, 0, 0), reason: "checksum" });
    expect((await decoded(2, request())).type).toBe("pixels");
  });

  it("answers each request of a message, and one that fails does not affect the others", async () => {
    await start();
    const requests = [request(), request({ chain: beginning(0), layers: 3 }), request({ layers: 1 })];
    const message = await send({ type: "decode", id: 5, requests });
    if (message.type !== "decoded") throw new Error(message.type);
    expect(message.responses.map(({ type }) => type)).toEqual(["pixels", "failed", "pixels"]);
    expect(transferred[1]!.length).toBe(2);
  });

  it("names no block where the kernel itself breaks down", async () => {
    await start();
    const response = await decoded(1, request({ chain: beginning(1) }));
    expect(response).toEqual({ type: "failed", address: null, reason: "unreachable" });
  });

  it("asks for the complete chain where the samples to build on are not there", async () => {
    await start();
    const short = request({
      chain: [{ address: address(0, 0, 0, 0), parameters: "57", layers: [] }],
      cachedParent: address(0, 1, 0, 0),
    });
    expect(await decoded(3, short)).toEqual({ type: "missing-parent" });
  });

  it("reports its memory: none before it is started, then the kernel's and that of the samples", async () => {
    const memory = (id: number) => send({ type: "memory", id });
    expect(await memory(1)).toEqual({ type: "memory", id: 1, memory: { decodedBytes: 0, wasmBytes: 0 } });
    await start();
    await decoded(2, request());
    expect(await memory(3)).toEqual({ type: "memory", id: 3, memory: { decodedBytes: 16, wasmBytes: 64 } });
  });
});
