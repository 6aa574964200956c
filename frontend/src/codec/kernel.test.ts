import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { TILE } from "../geometry/pyramid";
import { CodecError, KernelMismatch, loadKernel, type CodecHeader, type Kernel, type Samples } from "./kernel";

const shared = (path: string): string => fileURLToPath(new URL(`../../../shared/${path}`, import.meta.url));
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
const bytesOf = (samples: Samples): Uint8Array =>
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

/** Samples of an expected tile, down its chain of ancestors. */
function decodeChain(
  vector: Vector,
  tile: Pick<ExpectedTile, "level" | "x" | "y" | "layers">,
): { samples: Samples; header: CodecHeader } {
  const { level, x, y, layers } = tile;
  const [own = 0, ...above] = layers;
  if (above.length === 0) return kernel.decodeApproximation(vector.top.slice(0, own));
  const parent = decodeChain(vector, { level: level + 1, x: x >> 1, y: y >> 1, layers: above });
  const block = vector.layersAt(level, x, y).slice(0, own);
  const quadrant = [x & 1, y & 1] as [0 | 1, 0 | 1];
  return { ...parent, samples: kernel.decodeTile(parent.samples, quadrant, block, vector.channels) };
}

/** RGBA without what the source did not have; all of it must be opaque. */
function sourceComponents(rgba: Uint8ClampedArray, channels: number): Uint8Array {
  const out = new Uint8Array((rgba.length / 4) * channels);
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) throw new Error(`alpha ${rgba[i]} at ${i}`);
  for (let i = 0; i < out.length; i++) out[i] = rgba[4 * Math.floor(i / channels) + (i % channels)]!;
  return out;
}

describe("the pinned vectors", () => {
  test.each(vectors)(
    "$name decodes to the pinned samples and pixels for every number of layers",
    (vector) => {
      for (const tile of vector.expect) {
        const { samples, header } = decodeChain(vector, tile);
        const rgba = kernel.pixels(samples, header, tile);
        expect(sha256(bytesOf(samples))).toBe(tile.samples);
        expect(sha256(sourceComponents(rgba, vector.channels))).toBe(tile.pixels);
      }
    },
    60_000,
  );
});

describe("headers and results", () => {
  test("the approximation's header tells profile, channels and layers", () => {
    const { header } = kernel.decodeApproximation(visual.top);
    expect(header).toMatchObject({ kind: "approximation", profile: "visual", channels: 3, layers: 2, fractionBits: 4 });
  });

  test("results are copies: a later call does not change them", () => {
    const first = kernel.decodeApproximation(visual.top);
    const copy = first.samples.slice();
    kernel.decodeTile(new Int16Array(3 * TILE * TILE), [1, 1], [], 3);
    expect(same(first.samples, copy)).toBe(true);
  });

  test("an empty block of a flat parent is flat", () => {
    const tile = kernel.decodeTile(new Int16Array(3 * TILE * TILE).fill(77), [0, 1], [], 3);
    expect(tile.every((value) => value === 77)).toBe(true);
  });

  test.each([
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const)("the quadrant %i, %i looks at nothing of an earlier parent", (qx, qy) => {
    const { samples } = kernel.decodeApproximation(visual.top);
    const after = [0, 1].map((row) => {
      kernel.decodeTile(new Int16Array(3 * TILE * TILE).fill(3000), [0, row as 0 | 1], [], 3);
      kernel.decodeTile(new Int16Array(3 * TILE * TILE).fill(-3000), [0, (1 - row) as 0 | 1], [], 3);
      return kernel.decodeTile(samples, [qx, qy], [], 3);
    });
    expect(same(after[0]!, after[1]!)).toBe(true);
  });

  test("pixels at once are those of the tile's samples", () => {
    const { samples, header } = kernel.decodeApproximation(visual.top);
    const above = visual.expect.find((tile) => tile.layers.length === 2)!;
    const block = visual.layersAt(above.level, above.x, above.y);
    const quadrant = [above.x & 1, above.y & 1] as [0 | 1, 0 | 1];
    const tile = kernel.decodeTile(samples, quadrant, block, 3);
    const shown = kernel.decodePixels(samples, header, quadrant, block, { width: 200, height: 150 });
    expect(Array.from(shown)).toEqual(Array.from(kernel.pixels(tile, header, { width: 200, height: 150 })));
  });

  test("a kernel is made from a compiled module too", async () => {
    const other = await loadKernel(await WebAssembly.compile(readFileSync(WASM)));
    const [a, b] = [other, kernel].map((k) => k.decodeApproximation(visual.top).samples);
    expect(same(a!, b!)).toBe(true);
  });
});

describe("bytes that are not a block", () => {
  const block = visual.layersAt(0, 0, 0);
  const parent = new Int16Array(3 * TILE * TILE);
  const code = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      if (error instanceof CodecError) return error.code;
      throw error;
    }
    return "no error";
  };
  const decode = (layers: Uint8Array[], channels = 3): unknown => kernel.decodeTile(parent, [0, 0], layers, channels);
  const changed = (at: number, value: number): Uint8Array => block[0]!.map((byte, i) => (i === at ? value : byte));

  test.each([
    ["a truncated layer", () => decode([block[0]!.slice(0, 100)]), "truncated"],
    ["a layer of no bytes", () => decode([new Uint8Array()]), "truncated"],
    ["another format", () => decode([changed(0, 0)]), "magic"],
    ["a newer version", () => decode([changed(1, 2)]), "newer-version"],
    ["a flipped byte", () => decode([changed(200, block[0]![200]! ^ 1)]), "checksum"],
    ["layer 1 first", () => decode([block[1]!]), "order"],
    ["an extra layer", () => decode([...block, block[1]!]), "order"],
    ["a layer of another block", () => decode([block[0]!, visual.layersAt(0, 1, 0)[1]!]), "binding"],
    ["an approximation for a block", () => decode(visual.top), "kind"],
    ["a block for an approximation", () => kernel.decodeApproximation(block), "kind"],
    [
      "colour for a grey parent",
      () => kernel.decodeTile(parent.subarray(0, TILE * TILE), [0, 0], block, 1),
      "channel-count",
    ],
  ] as const)("%s is refused by name", (_, call, expected) => {
    expect(code(call)).toBe(expected);
  });

  test("every truncated length is refused and the next good block decodes as before", () => {
    const good = kernel.decodeTile(parent, [0, 0], block, 3);
    for (let n = 1; n < block[0]!.length; n += 501)
      expect(code(() => decode([block[0]!.slice(0, n)]))).toBe("truncated");
    expect(same(kernel.decodeTile(parent, [0, 0], block, 3), good)).toBe(true);
  });

  test("a wasm module that is not the kernel is refused", async () => {
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    await expect(loadKernel(empty)).rejects.toThrow(KernelMismatch);
  });
});
