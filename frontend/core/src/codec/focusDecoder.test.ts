import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { TILE, address } from "../geometry/pyramid";
import { BandKernel } from "./bandKernel";
import { FocusDecoder, type FocusRequest, strongest } from "./focusDecoder";
import type { Kernel, ParameterSet, Samples } from "./kernel";

const wasm = readFileSync(fileURLToPath(new URL("../../../../shared/kernel/build/kernel.wasm", import.meta.url)));
let bands: BandKernel;
beforeAll(async () => void (bands = await BandKernel.load(wasm)));

const tileOf = (value: (x: number, y: number, c: number) => number, channels = 3): Samples =>
  Int16Array.from({ length: channels * TILE * TILE }, (_, i) =>
    value(i % TILE, Math.floor(i / TILE) % TILE, Math.floor(i / TILE ** 2)),
  );
const noise = (x: number, y: number, c: number): number => ((x * 73 + y * 151 + c * 31) % 97) - 48;

describe("the bands of a tile (ZS4)", () => {
  it.each([1, 3])("of %i channels give the tile again", (channels) => {
    const tile = tileOf(noise, channels);
    expect(bands.synthesize(bands.analyze(tile))).toEqual(tile);
  });

  it("of a flat tile are its value, and nothing else", () => {
    const { ll, details } = bands.analyze(tileOf(() => 17));
    expect([new Set(ll), new Set(details)]).toEqual([new Set([17]), new Set([0])]);
  });

  it("are refused of anything that is no tile", () => {
    expect(() => bands.analyze(new Int16Array(10))).toThrow(RangeError);
    expect(() => bands.analyze(new Int16Array(2 * TILE * TILE))).toThrow(RangeError);
  });
});

describe("the strongest details (ZS5)", () => {
  const BAND = 3 * 128 * 128;
  const detailsOf = (value: (i: number) => number) => ({
    details: Int16Array.from({ length: 3 * BAND }, (_, i) => value(i)),
  });

  it("are those of one plane for all channels, by the sum of their magnitudes", () => {
    const one = detailsOf((i) => (i === 5 ? -9 : i === BAND + 5 ? 4 : 0));
    const other = detailsOf((i) => (i === 5 ? 6 : i === BAND + 5 ? -6 : i === 7 ? 1 : 0));
    const chosen = strongest([one, other]);
    expect([chosen[5], chosen[BAND + 5], chosen[7]]).toEqual([-9, 4, 1]);
    expect(strongest([other, one])[5]).toBe(-9);
  });

  it("are the first plane's where magnitudes are equal", () => {
    const chosen = strongest([detailsOf(() => 3), detailsOf(() => -3)]);
    expect(new Set(chosen)).toEqual(new Set([3]));
  });
});

describe("a tile with extended depth of field (ZS4, ZS6)", () => {
  const parameters = { channels: 3 } as ParameterSet;
  /** A kernel whose tiles are given; it draws the first channel. */
  const kernelOf = (tiles: (z: number, level: number) => Samples): Kernel => ({
    readParameters: () => parameters,
    decodeApproximation: ({ address: { z } }) => tiles(z, 1),
    decodeTile: (_, { address: { z } }) => tiles(z, 0),
    decodePixels: () => new Uint8ClampedArray(),
    pixels: (samples) => new Uint8ClampedArray(Uint8Array.from(samples.subarray(0, TILE * TILE), (one) => one + 128)),
    values: (samples) => Uint16Array.from(samples.subarray(0, TILE * TILE), (one) => one + 1000),
  });
  const requestFor = (planes: number, level = 0): FocusRequest => {
    const link = (z: number, l: number) => ({
      address: address(z, l, 1, 0),
      parameters: `0${l}`,
      layers: [Uint8Array.of(1)],
    });
    const chains = Array.from({ length: planes }, (_, z) => [link(z, 1), ...(level === 0 ? [link(z, 0)] : [])]);
    return {
      slide: "s",
      chain: [],
      planes: chains,
      layers: 1,
      channels: 3,
      width: TILE,
      height: TILE,
      output: "pixels",
    };
  };
  const shown = (decoder: FocusDecoder, request: FocusRequest) =>
    Array.from(decoder.pixels(request).rgba, (one) => one - 128);

  it("is the tile of the planes where they are all the same", () => {
    const decoder = new FocusDecoder(
      kernelOf((_, level) => (level === 1 ? parent : tile)),
      bands,
      1 << 24,
    );
    const tile = tileOf(noise);
    const { ll } = bands.analyze(tile);
    const parent = tileOf((x, y, c) => (x >= 128 && y < 128 ? ll[c * 128 * 128 + y * 128 + x - 128]! : 0));
    expect(shown(decoder, requestFor(4))).toEqual(Array.from(tile.subarray(0, TILE * TILE)));
  });

  it("takes from each plane what is sharp there", () => {
    // the left half is sharp on plane 0, the right half on plane 1; a blurred half is flat, with the same means
    const bars = (x: number): number => (x % 2 === 0 ? 20 : -20);
    const plane = (z: number) => tileOf((x) => (x < 128 === (z === 0) ? bars(x) : 0));
    const decoder = new FocusDecoder(
      kernelOf((z, level) => (level === 1 ? tileOf(() => 0) : plane(z))),
      bands,
      1 << 24,
    );
    const row = shown(decoder, requestFor(2)).slice(0, TILE);
    const far = row.filter((_, x) => Math.abs(x - 128) > 8 && x > 2 && x < 253);
    expect(far).toEqual(
      Array.from({ length: TILE }, (_, x) => bars(x)).filter((_, x) => Math.abs(x - 128) > 8 && x > 2 && x < 253),
    ); // prettier-ignore
  });

  it("ends at 16 bits where the details of one plane leave them on the means of another (ZS9)", () => {
    // plane 0 has columns of the darkest and the brightest sample, plane 1 is as bright as can be
    const columns = tileOf((x) => (x % 2 === 0 ? -32768 : 32767), 1);
    const bright = tileOf(() => 32767, 1);
    const decoder = new FocusDecoder(
      kernelOf((z) => (z === 0 ? columns : bright)),
      bands,
      1 << 24,
    );
    const { values } = decoder.values({ ...requestFor(2, 1), channels: 1 });
    const row = [...values.subarray(0, TILE)].map((one) => ((one - 1000 + 32768) & 65535) - 32768);
    expect(new Set(row.filter((_, x) => x % 2 === 1))).toEqual(new Set([32767])); // else it would be black
    expect(Math.max(...row.filter((_, x) => x % 2 === 0))).toBeLessThan(0);
  });

  it("is exact at the ends of 16 bits where all planes are the same and span 8000 at most (ZS9)", () => {
    for (const end of [-32768 + 4000, 32767 - 4000]) {
      const tile = tileOf((x, y) => end + noise(x, y, 0) * 83, 1);
      const again = bands.synthesize(bands.analyze(tile));
      expect(again.every((one, i) => one === tile[i])).toBe(true);
    }
  });

  it("has the numbers of the source of a slide of one channel (ZS8)", () => {
    const decoder = new FocusDecoder(
      kernelOf((z) => tileOf(() => 3 + 2 * z)),
      bands,
      1 << 24,
    );
    expect(new Set(decoder.values(requestFor(2, 1)).values)).toEqual(new Set([1004]));
  });

  it("has at the top the mean of the planes' means, rounded down", () => {
    const decoder = new FocusDecoder(
      kernelOf((z) => tileOf(() => [3, 4, 4, 4][z]!)),
      bands,
      1 << 24,
    );
    expect(new Set(shown(decoder, requestFor(4, 1)))).toEqual(new Set([3]));
  });

  it("keeps parents, in bytes that it reports", () => {
    const decoder = new FocusDecoder(
      kernelOf(() => tileOf(() => 0)),
      bands,
      1 << 24,
    );
    decoder.pixels(requestFor(2));
    expect(decoder.decodedBytes).toBe(3 * 3 * TILE * TILE * 2); // of each plane, and what was computed
  });
});
