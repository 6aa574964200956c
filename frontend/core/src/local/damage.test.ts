import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SlideFileError } from "../wire/files/errors";
import { DamagedTileError } from "./codecs/codecs";
import { checkJpeg } from "./codecs/jpeg";
import { checkRange } from "./codecs/jpegRange";
import { sha256 } from "../sha256";
import { openLocalPicture } from "./openLocalPicture";
import { memoryFile, nodeCodecs, tiffOf } from "./testing";

const VECTORS = fileURLToPath(new URL("../../../../shared/vectors/local/", import.meta.url));
const read = (name: string): Uint8Array => new Uint8Array(readFileSync(VECTORS + name));
const codecs = nodeCodecs();

/** What opening and reading all of level 0 comes to; anything but a typed error fails. */
async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    const picture = await openLocalPicture(memoryFile(bytes), codecs);
    if (picture.width * picture.height > 1 << 22) return "large";
    const pixels = await picture.readRegion(0, 0, 0, picture.width, picture.height);
    return pixels.length === 3 * picture.width * picture.height ? "read" : "short";
  } catch (error) {
    if (error instanceof SlideFileError) return error.fault;
    throw error;
  }
}

/** A small picture of one strip, with one tag replaced or added. */
const picture = { 256: 4, 257: 4, 258: [8, 8, 8], 259: 1, 262: 2, 273: 8, 277: 3, 278: 4, 279: 48 };
const changed = (tags: Readonly<Record<number, number | readonly number[]>>): Uint8Array =>
  tiffOf({ ...picture, ...tags });

describe("a hostile file", () => {
  it("is readable before it is changed", async () => {
    expect(await outcome(tiffOf(picture))).toBe("read");
  });

  it.each([
    ["a picture without pixels", { 256: 0 }, "malformed"],
    ["a side beyond all slides", { 256: 0x7fffffff }, "too-large"],
    ["a strip that is too large to be decoded", { 256: 1 << 16, 257: 1 << 14, 278: 1 << 14 }, "too-large"],
    ["strips beyond the end", { 273: 0x7fffff00 }, "truncated"],
    ["a strip that is shorter than its rows", { 279: 10 }, "malformed"],
    ["a strip of more bytes than pixels can need", { 279: 0x40000000 }, "truncated"],
    ["fewer strips than the picture has", { 278: 1 }, "malformed"],
    ["strips without rows", { 278: 0 }, "malformed"],
    ["tiles of one pixel", { 322: 1, 323: 1, 324: 8, 325: 48 }, "malformed"],
    ["tiles larger than memory", { 322: 0x10000, 323: 0x10000, 324: 8, 325: 48 }, "too-large"],
    ["grey", { 277: 1, 258: 8, 262: 1 }, "unsupported"],
    ["16 bits", { 258: [16, 16, 16] }, "unsupported"],
    ["an unknown compression", { 259: 34892 }, "unsupported"],
    ["a plane for each colour", { 284: 2 }, "unsupported"],
    ["damaged LZW", { 259: 5 }, "malformed"],
    ["damaged Deflate", { 259: 8 }, "malformed"],
    ["no JPEG", { 259: 7 }, "malformed"],
    ["no JPEG 2000", { 259: 33005 }, "malformed"],
    ["a kind that only the service reads", { 65420: 1 }, "unsupported"],
    ["a level that is cut off", { 330: 0x7fffff00 }, "truncated"],
  ] as const)("with %s is refused (LI10, LI11)", async (_, tags, fault) => {
    expect(await outcome(changed(tags))).toBe(fault);
  });

  it("whose directories form a loop is refused (LI10)", async () => {
    const looped = tiffOf(picture, (start) => start);
    expect(await outcome(looped)).toBe("malformed");
  });

  it("with a count that no file has is refused before anything is allocated (LI10)", async () => {
    const bytes = tiffOf(picture);
    const view = new DataView(bytes.buffer);
    const start = view.getUint32(4, true);
    for (let entry = 0; entry < view.getUint16(start, true); entry += 1) {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(start + 2 + 12 * entry + 4, 0xffffffff, true);
      expect(["truncated", "too-large", "malformed", "unsupported"]).toContain(await outcome(copy));
    }
  });

  it.each(["none-strips.tif", "jpeg-ycbcr.tif", "aperio-jpeg2000.svs", "deflate-big-endian.tif"])(
    "%s, truncated, is refused (LI10)",
    async (name) => {
      const bytes = read(name);
      for (const part of [0, 1, 7, 8, 15, 16, 100, 1000, 0.3, 0.6, 0.9, 0.999]) {
        const length = part < 1 ? Math.floor(part * bytes.length) : part;
        expect(["truncated", "malformed", "unsupported"], `${length} bytes`).toContain(
          await outcome(bytes.slice(0, length)),
        );
      }
    },
  );

  it.each(["lzw-predictor.tif", "jpeg-ycbcr.tif", "aperio-jpeg2000.svs", "deflate-big-endian.tif"])(
    "%s, with changed bytes, is read or refused, and nothing else (LI10)",
    async (name) => {
      const bytes = read(name);
      let seed = 8;
      const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
      for (let round = 0; round < 40; round += 1) {
        const copy = bytes.slice();
        // Half of the changes are in the directories, which lie at the beginning or the end.
        for (let change = 0; change < 3; change += 1) {
          const near = random(2) ? random(copy.length) : random(2) ? random(600) : copy.length - 1 - random(600);
          copy[near] = random(256);
        }
        expect(["read", "large", "truncated", "malformed", "too-large", "unsupported"]).toContain(await outcome(copy));
      }
    },
  );

  it("whose JPEG tile is damaged is refused where the service refuses it, and never has other pixels (LI10)", async () => {
    const { jpeg, changes } = JSON.parse(new TextDecoder().decode(read("damaged-jpeg.json"))) as {
      readonly jpeg: string;
      readonly changes: readonly [number, number, string | null][];
    };
    const size = { width: 64, height: 64 };
    const tile = Uint8Array.from(atob(jpeg), (byte) => byte.charCodeAt(0));
    checkRange(tile);
    let refused = 0;
    for (const [at, value, pixels] of changes) {
      const bytes = tile.slice();
      bytes[at] = value;
      const decoded = (async () => (checkJpeg(bytes, size), codecs.jpeg(bytes, size)))();
      const outcome = await decoded.then(
        (found) => sha256(Uint8Array.from(found)).slice(0, 16),
        (error: unknown) => (error instanceof DamagedTileError ? null : error),
      );
      if (outcome === null || pixels === null) expect([at, value, outcome]).toEqual([at, value, pixels]);
      else if (inRange(bytes)) expect([at, value, outcome]).toEqual([at, value, pixels]);
      else refused += outcome === pixels ? 0 : 1;
    }
    expect(refused).toBeGreaterThan(20); // they would have other pixels
  });
});

/** Throws what is no DamagedTileError. */
function inRange(bytes: Uint8Array): boolean {
  try {
    checkRange(bytes);
    return true;
  } catch (error) {
    if (error instanceof DamagedTileError) return false;
    throw error;
  }
}
