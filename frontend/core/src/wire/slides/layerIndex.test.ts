import { describe, expect, it } from "vitest";
import { CorruptError } from "../http/errors";
import { blockLength, isEmptyBlock, pageOf, pageSeed, parseLayerIndexPage } from "./layerIndex";
import { pageBytes, seeded } from "../testing";

const lengths = [0, 0, 1, 127, 128, 16384, 4_000_000_000, 5];
const SEED = pageSeed(Uint8Array.of(1, 2, 3), 1, 4);
const good = pageBytes(2, 2, 2, lengths, SEED);

describe("parseLayerIndexPage", () => {
  it("WI13: reads lengths row by row, block by block, layer by layer", () => {
    const page = parseLayerIndexPage(good, SEED);
    expect([...page.lengths]).toEqual(lengths);
    expect(blockLength(page, 0, 1, 0, 2)).toBe(128 + 16384);
    expect(blockLength(page, 1, 1, 1, 2)).toBe(5);
  });

  it("WI14: knows empty blocks", () => {
    const page = parseLayerIndexPage(good, SEED);
    expect(isEmptyBlock(page, 0, 0)).toBe(true);
    expect(isEmptyBlock(page, 1, 0)).toBe(false);
  });

  it("refuses every prefix", () => {
    for (let length = 0; length < good.length; length += 1) {
      expect(() => parseLayerIndexPage(good.subarray(0, length), SEED)).toThrow(CorruptError);
    }
  });

  it("refuses an extra byte and every flipped bit", () => {
    expect(() => parseLayerIndexPage(Uint8Array.from([...good, 0]), SEED)).toThrow(CorruptError);
    for (let bit = 0; bit < good.length * 8; bit += 1) {
      const bytes = good.slice();
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => parseLayerIndexPage(bytes, SEED)).toThrow(CorruptError);
    }
  });

  it.each([
    ["more lengths than blocks", pageBytes(1, 1, 1, [1, 2], SEED)],
    ["fewer lengths than blocks", pageBytes(2, 1, 1, [1], SEED)],
    ["no columns", pageBytes(0, 1, 1, [], SEED)],
    ["too many rows", pageBytes(1, 33, 1, Array<number>(33).fill(1), SEED)],
    ["a length beyond 32 bits", pageBytes(1, 1, 1, [2 ** 32], SEED)],
    ["a length without an end", pageBytes(1, 1, 1, [2 ** 50], SEED)],
  ])("refuses %s even under a good checksum", (_, bytes) => {
    expect(() => parseLayerIndexPage(bytes, SEED)).toThrow(CorruptError);
  });

  it("ST20: refuses a page of another slide or level, plane or number", () => {
    for (const elsewhere of [
      pageSeed(Uint8Array.of(1, 2, 4), 1, 4),
      pageSeed(Uint8Array.of(1, 2, 3), 2, 4),
      pageSeed(Uint8Array.of(1, 2, 3), 1, 3),
    ])
      expect(() => parseLayerIndexPage(good, elsewhere)).toThrow(CorruptError);
  });

  it("refuses noise without any other error", () => {
    const random = seeded(7);
    for (let round = 0; round < 500; round += 1) {
      const noise = Uint8Array.from({ length: Math.floor(random() * 64) }, () => Math.floor(random() * 256));
      expect(() => parseLayerIndexPage(noise, SEED)).toThrow(CorruptError);
    }
  });
});

it("WI13: counts pages of 32 x 32 blocks row by row", () => {
  expect(pageOf(70, 31, 0)).toEqual({ page: 0, column: 31, row: 0 });
  expect(pageOf(70, 32, 33)).toEqual({ page: 4, column: 0, row: 1 });
  expect(pageOf(70, 69, 64)).toEqual({ page: 8, column: 5, row: 0 });
});
