import { expect, it } from "vitest";
import { address } from "../geometry/pyramid";
import { BlockError, ChainDecoder, MissingParentError } from "./chainDecoder";
import type { Kernel, ParameterSet } from "./kernel";
import type { DecodeRequest } from "./protocol";

const parameters = { channels: 1 } as ParameterSet;
const BYTES = 16;

/** A kernel whose samples are the path that led to them. */
function fakeKernel(calls: string[], bad = -1): Kernel {
  const kernel: Kernel = {
    readParameters: (bytes) => {
      calls.push(`parameters ${bytes.join()}`);
      return parameters;
    },
    decodePixels: (parent, block, size) => kernel.pixels(kernel.decodeTile(parent, block), block.parameters, size),
    decodeApproximation: ({ layers }) => {
      calls.push(`top@${layers.length}`);
      return new Int16Array(BYTES / 2).fill(layers.length);
    },
    decodeTile: (parent, { address: { x, y }, layers }) => {
      if (layers[0]?.[0] === bad) throw new Error("checksum");
      calls.push(`${x & 1}${y & 1}@${layers.length}`);
      return parent.map((value) => value * 10 + (x & 1) * 2 + (y & 1));
    },
    pixels: (samples, _parameters, { width, height }) => new Uint8ClampedArray(width * height * 4).fill(samples[0]!),
    values: (samples) => samples,
  };
  return kernel;
}

function request(layers: number, ...path: [level: number, x: number, y: number][]): DecodeRequest {
  const chain = path.map(([level, x, y]) => ({
    address: address(0, level, x, y),
    parameters: level.toString(16).padStart(2, "0"),
    layers: Array.from({ length: layers }, () => Uint8Array.of(level)),
  }));
  return { slide: "s", chain, layers, channels: 1, width: 1, height: 1, output: "pixels" };
}

const decoded = (calls: string[]): string[] => calls.filter((call) => !call.startsWith("parameters"));

it("reads each parameter set once", () => {
  const calls: string[] = [];
  const decoder = new ChainDecoder(fakeKernel(calls), 1000);
  decoder.pixels(request(1, [2, 0, 0], [1, 1, 0], [0, 2, 1]));
  decoder.pixels(request(2, [2, 0, 0], [1, 1, 0], [0, 3, 1]));
  expect(calls.filter((call) => call.startsWith("parameters"))).toEqual([
    "parameters 2",
    "parameters 1",
    "parameters 0",
  ]);
});

it("decodes a chain from the top, and a sibling from the parent it still has", () => {
  const calls: string[] = [];
  const decoder = new ChainDecoder(fakeKernel(calls), 1000);
  expect(decoder.pixels(request(1, [2, 0, 0], [1, 1, 0], [0, 2, 1])).rgba[0]).toBe(121);
  decoder.pixels(request(1, [2, 0, 0], [1, 1, 0], [0, 3, 1]));
  expect(decoded(calls)).toEqual(["top@1", "10@1", "01@1", "11@1"]);
});

it("never builds on a parent with another number of layers", () => {
  const calls: string[] = [];
  const decoder = new ChainDecoder(fakeKernel(calls), 1000);
  decoder.pixels(request(1, [1, 0, 0], [0, 1, 1]));
  decoder.pixels(request(2, [1, 0, 0], [0, 1, 1]));
  expect(decoded(calls)).toEqual(["top@1", "11@1", "top@2", "11@2"]);
});

it("keeps parents within the budget and level-0 samples not at all", () => {
  const decoder = new ChainDecoder(fakeKernel([]), 2 * BYTES);
  decoder.pixels(request(1, [3, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 0]));
  expect(decoder.decodedBytes).toBe(2 * BYTES);
});

it("names the block that cannot be decoded", () => {
  const decoder = new ChainDecoder(fakeKernel([], 1), 1000);
  const attempt = (): unknown => decoder.pixels(request(1, [2, 0, 0], [1, 1, 0], [0, 2, 0]));
  expect(attempt).toThrow(BlockError);
  expect(attempt).toThrow(expect.objectContaining({ address: address(0, 1, 1, 0), message: "checksum" }));
});

it("builds on what it is said to have, and says when it has not", () => {
  const calls: string[] = [];
  const decoder = new ChainDecoder(fakeKernel(calls), 1000);
  const whole = request(1, [2, 0, 0], [1, 1, 0], [0, 2, 1]);
  const short = { ...whole, chain: whole.chain.slice(2), cachedParent: whole.chain[1]!.address };
  expect(() => decoder.pixels(short)).toThrow(MissingParentError);
  decoder.pixels(whole);
  expect(decoder.pixels(short).rgba[0]).toBe(121);
  expect(decoder.pixels({ ...short, chain: [], cachedParent: whole.chain[1]!.address }).rgba[0]).toBe(12);
  expect(decoded(calls)).toEqual(["top@1", "10@1", "01@1", "01@1"]);
});
