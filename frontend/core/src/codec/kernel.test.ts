import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { type Size, TILE } from "../geometry/pyramid";
import { bytesOfHex } from "../wire/slides/hexadecimal";
import {
  type Block,
  CodecError,
  KernelMismatch,
  loadKernel,
  type Kernel,
  type ParameterSet,
  type Samples,
  type Values,
} from "./kernel";

const shared = (path: string): string => fileURLToPath(new URL(`../../../../shared/${path}`, import.meta.url));
const WASM = shared("kernel/build/kernel.wasm");

interface ExpectedTile {
  level: number;
  x: number;
  y: number;
  layers: number[];
  width: number;
  height: number;
  samples: string;
  pixels: string;
}
interface Case {
  name: string;
  channels: number;
  parameters: string[];
  approximation: number[];
  blocks: { level: number; x: number; y: number; layers: number[] }[];
  expect: ExpectedTile[];
}
interface Vector extends Case {
  top: Uint8Array[];
  layersAt(level: number, x: number, y: number): Uint8Array[];
}

const { cases } = JSON.parse(readFileSync(shared("vectors/codestream/vectors.json"), "utf8")) as { cases: Case[] };
const vectors = cases.map(readVector);
const visual = vectors.find((vector) => vector.name === "tissue-visual")!;
const bytesOf = (samples: Samples | Values): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
const same = (a: Samples, b: Samples): boolean => Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function readVector(entry: Case): Vector {
  const data = new Uint8Array(readFileSync(shared(`vectors/codestream/${entry.name}.bin`)));
  let at = 0;
  const cut = (lengths: number[]): Uint8Array[] => lengths.map((length) => data.slice(at, (at += length)));
  const top = cut(entry.approximation);
  const blocks = new Map(entry.blocks.map((block) => [`${block.level}/${block.x}/${block.y}`, cut(block.layers)]));
  return { ...entry, top, layersAt: (level, x, y) => blocks.get(`${level}/${x}/${y}`)! };
}

let kernel: Kernel;
beforeAll(async () => {
  if (!existsSync(WASM)) throw new Error(`${WASM} is missing; build it with: node shared/tools/build-kernel.mjs`);
  kernel = await loadKernel(readFileSync(WASM));
});

const setOf = (vector: Vector, level: number): ParameterSet =>
  kernel.readParameters(bytesOfHex(vector.parameters[level]!));

function topOf(vector: Vector, layers: number): Block {
  const parameters = setOf(vector, vector.parameters.length - 1);
  return { parameters, address: { z: 0, x: 0, y: 0 }, layers: vector.top.slice(0, layers) };
}

function blockAt(vector: Vector, level: number, x: number, y: number, layers = 4): Block {
  const parameters = setOf(vector, level);
  return { parameters, address: { z: 0, x, y }, layers: vector.layersAt(level, x, y).slice(0, layers) };
}

/** Samples of an expected tile, down its chain of ancestors. */
function decodeChain(vector: Vector, tile: Pick<ExpectedTile, "level" | "x" | "y" | "layers">): Samples {
  const { level, x, y, layers } = tile;
  const [own = 0, ...above] = layers;
  if (above.length === 0) return kernel.decodeApproximation(topOf(vector, own));
  const parent = decodeChain(vector, { level: level + 1, x: x >> 1, y: y >> 1, layers: above });
  return kernel.decodeTile(parent, blockAt(vector, level, x, y, own));
}

/** RGBA without what the source did not have; all of it must be opaque. */
function sourceComponents(rgba: Uint8ClampedArray, channels: number): Uint8Array {
  const out = new Uint8Array((rgba.length / 4) * channels);
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) throw new Error(`alpha ${rgba[i]} at ${i}`);
  for (let i = 0; i < out.length; i++) out[i] = rgba[4 * Math.floor(i / channels) + (i % channels)]!;
  return out;
}

/** The bytes of the pixels as the source had them. */
function pixelsOf(samples: Samples, parameters: ParameterSet, size: Size): Uint8Array {
  if (parameters.channels === 1 && (parameters.bitDepth > 8 || parameters.signed))
    return bytesOf(kernel.values(samples, parameters, size));
  return sourceComponents(kernel.pixels(samples, parameters, size), parameters.channels);
}

describe("the pinned vectors", () => {
  test.each(vectors)(
    "$name decodes to the pinned samples and pixels for every number of layers",
    (vector) => {
      for (const tile of vector.expect) {
        const samples = decodeChain(vector, tile);
        expect(sha256(bytesOf(samples))).toBe(tile.samples);
        expect(sha256(pixelsOf(samples, setOf(vector, tile.level), tile))).toBe(tile.pixels);
      }
    },
    60_000,
  );
});

const parent = new Int16Array(3 * TILE * TILE);
const emptyAt = (x: number, y: number): Block => ({
  parameters: setOf(visual, 0),
  address: { z: 0, x, y },
  layers: [],
});

describe("parameter sets and results", () => {
  test("the parameter set tells profile, channels and layers (CS9)", () => {
    expect(topOf(visual, 2).parameters).toMatchObject({
      kind: "approximation",
      profile: "visual",
      channels: 3,
      layers: 2,
      fractionBits: 4,
    });
  });

  test("a deep channel is Uint16, Int16 or Int8, and has no RGBA (CS9)", () => {
    const size = { width: 3, height: 2 };
    const types = { "depth-16": Uint16Array, "depth-14-signed": Int16Array, "depth-8-signed": Int8Array };
    for (const [name, type] of Object.entries({ ...types, "grey-lossless": Uint8Array })) {
      const vector = vectors.find((each) => each.name === name)!;
      const block = topOf(vector, 4);
      const samples = kernel.decodeApproximation(block);
      expect(kernel.values(samples, block.parameters, size)).toBeInstanceOf(type);
      const rgba = () => kernel.pixels(samples, block.parameters, size);
      if (type === Uint8Array) expect(rgba()).toHaveLength(24);
      else expect(rgba).toThrow("argument");
    }
  });

  test("results are copies: a later call does not change them", () => {
    const first = kernel.decodeApproximation(topOf(visual, 2));
    const copy = first.slice();
    kernel.decodeTile(parent, emptyAt(1, 1));
    expect(same(first, copy)).toBe(true);
  });

  test("an empty block of a flat parent is flat", () => {
    const tile = kernel.decodeTile(new Int16Array(3 * TILE * TILE).fill(77), emptyAt(0, 1));
    expect(tile.every((value) => value === 77)).toBe(true);
  });

  test.each([
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const)("the quadrant %i, %i looks at nothing of an earlier parent", (qx, qy) => {
    const samples = kernel.decodeApproximation(topOf(visual, 2));
    const after = [0, 1].map((row) => {
      kernel.decodeTile(new Int16Array(3 * TILE * TILE).fill(3000), emptyAt(0, row));
      kernel.decodeTile(new Int16Array(3 * TILE * TILE).fill(-3000), emptyAt(0, 1 - row));
      return kernel.decodeTile(samples, emptyAt(qx, qy));
    });
    expect(same(after[0]!, after[1]!)).toBe(true);
  });

  test("pixels at once are those of the tile's samples", () => {
    const samples = kernel.decodeApproximation(topOf(visual, 2));
    const above = visual.expect.find((tile) => tile.layers.length === 2)!;
    const block = blockAt(visual, above.level, above.x, above.y);
    const size = { width: 200, height: 150 };
    const shown = kernel.decodePixels(samples, block, size);
    const tile = kernel.decodeTile(samples, block);
    expect(Array.from(shown)).toEqual(Array.from(kernel.pixels(tile, block.parameters, size)));
  });

  test("a kernel is made from a compiled module too", async () => {
    const other = await loadKernel(await WebAssembly.compile(readFileSync(WASM)));
    const [a, b] = [other, kernel].map((k) => k.decodeApproximation(topOf(visual, 2))) as [Samples, Samples];
    expect(same(a, b)).toBe(true);
  });
});

interface Mutation {
  name: string;
  call: string;
  parameters: string;
  bytes: string;
  error?: string;
  samples?: string;
}

describe("streams that no encoder writes", () => {
  const { cases: mutations } = JSON.parse(readFileSync(shared("vectors/codestream/mutations.json"), "utf8")) as {
    cases: Mutation[];
  };
  const blockOf = (mutation: Mutation): Block => ({
    parameters: kernel.readParameters(bytesOfHex(mutation.parameters)),
    address: { z: 0, x: mutation.call === "elsewhere" ? 1 : 0, y: 0 },
    layers: [bytesOfHex(mutation.bytes)],
  });
  const resultOf = (mutation: Mutation): string => {
    const parent = (channels: number): Samples => new Int16Array(channels * TILE * TILE);
    try {
      const block = blockOf(mutation);
      if (mutation.call === "parameters") return "read";
      if (mutation.call === "approximation") return sha256(bytesOf(kernel.decodeApproximation(block)));
      kernel.decodeTile(parent(mutation.call === "tile of three channels" ? 3 : 1), block);
      return "decoded";
    } catch (error) {
      if (error instanceof CodecError) return error.code;
      throw error;
    }
  };

  test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
    "CS7, CS11, CS44: %s has its pinned error or result",
    (_, mutation) => expect(resultOf(mutation)).toBe(mutation.error ?? mutation.samples ?? "decoded"),
  );
});

describe("bytes that are not this block", () => {
  const layers = visual.layersAt(0, 0, 0);
  const code = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      if (error instanceof CodecError) return error.code;
      throw error;
    }
    return "no error";
  };
  const decode = (change: Partial<Block>): unknown =>
    kernel.decodeTile(parent, { ...blockAt(visual, 0, 0, 0), ...change });
  const changed = (bytes: Uint8Array, at: number, value: number): Uint8Array =>
    bytes.map((byte, i) => (i === at ? value : byte));
  const slideOf = (name: string): Vector => vectors.find((vector) => vector.name === name)!;

  test.each([
    ["a truncated layer", () => decode({ layers: [layers[0]!.slice(0, 100)] }), "truncated"],
    ["CS7: a layer of no bytes", () => decode({ layers: [new Uint8Array()] }), "order"],
    ["a flipped byte", () => decode({ layers: [changed(layers[0]!, 200, layers[0]![200]! ^ 1)] }), "checksum"],
    ["an extra layer", () => decode({ layers: [...layers, layers[1]!] }), "order"],
    ["a layer of another block", () => decode({ layers: [layers[0]!, visual.layersAt(0, 1, 0)[1]!] }), "checksum"],
    ["a layer in the position of another", () => decode({ layers: [layers[0]!, layers[0]!] }), "checksum"],
    ["the block of another tile", () => decode({ layers: visual.layersAt(0, 1, 0) }), "binding"],
    ["the block of another plane", () => decode({ address: { z: 1, x: 0, y: 0 } }), "binding"],
    ["the block of another slide", () => decode({ layers: slideOf("spot-visual").layersAt(0, 0, 0) }), "checksum"],
    ["the block of another level", () => decode({ parameters: setOf(slideOf("side-513"), 1) }), "checksum"],
    ["an approximation for a block", () => decode({ parameters: topOf(visual, 1).parameters }), "kind"],
    ["a block for an approximation", () => kernel.decodeApproximation(blockAt(visual, 0, 0, 0)), "kind"],
    [
      "colour for a grey parent",
      () => kernel.decodeTile(parent.subarray(0, TILE * TILE), blockAt(visual, 0, 0, 0)),
      "channel-count",
    ],
  ] as const)("%s is refused by name (CS7)", (_, call, expected) => {
    expect(code(call)).toBe(expected);
  });

  test.each([
    ["another format", 0, 0, "magic"],
    ["a newer version", 2, 2, "newer-version"],
    ["a newer minor version", 3, 2, "newer-version"],
    ["a tile of 1024", 6, 10, "unsupported-tile"],
    ["five channels", 11, 5, "unsupported-channels"],
    ["four channel groups", 9, 4, "unsupported-channels"],
    ["16 bits", 12, 16, "unsupported-depth"],
    ["signed samples", 12, 0x88, "unsupported-depth"],
    ["an unknown colour transform", 14, 8, "unsupported"],
  ] as const)("a parameter set with %s is refused by name (CS11)", (_, at, value, expected) => {
    const bytes = changed(bytesOfHex(visual.parameters[0]!), at, value);
    expect(code(() => kernel.readParameters(bytes))).toBe(expected);
  });

  test("every truncated length is refused and the next good block decodes as before", () => {
    const good = kernel.decodeTile(parent, blockAt(visual, 0, 0, 0));
    for (let n = 1; n < layers[0]!.length; n += 501)
      expect(code(() => decode({ layers: [layers[0]!.slice(0, n)] }))).toBe("truncated");
    expect(same(kernel.decodeTile(parent, blockAt(visual, 0, 0, 0)), good)).toBe(true);
  });

  test("a wasm module that is not the kernel is refused", async () => {
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    await expect(loadKernel(empty)).rejects.toThrow(KernelMismatch);
  });
});
