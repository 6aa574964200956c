import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openLocalPicture } from "./openLocalPicture";
import { diskFile, nodeCodecs } from "./testing";

/** What the service reads from a file (backend/tests/source/make_local_vectors.py). */
interface Read {
  readonly width: number;
  readonly height: number;
  readonly mpp: readonly (number | null)[];
  readonly objective: number | null;
  readonly vendor: string | null;
  readonly icc: string | null;
  readonly bands: readonly string[];
}

const VECTORS = fileURLToPath(new URL("../../../../shared/vectors/local/", import.meta.url));
const { files, real } = JSON.parse(readFileSync(`${VECTORS}digests.json`, "utf8")) as Record<
  "files" | "real",
  Record<string, Read>
>;
const REAL = process.env.WAVESCOPE_TEST_DATA;
const BAND = 1024;
const codecs = nodeCodecs();

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function compare(path: string, read: Read, bands: readonly number[]): Promise<number> {
  const file = await diskFile(path);
  const picture = await openLocalPicture(file, codecs);
  const { mppX, mppY, objective, vendor, icc } = picture.facts;
  expect([picture.width, picture.height]).toEqual([read.width, read.height]);
  expect([mppX ?? null, mppY ?? null, objective ?? null, vendor ?? null]).toEqual([
    ...read.mpp,
    read.objective,
    read.vendor,
  ]);
  expect(icc ? sha256(icc) : null).toBe(read.icc);
  for (const band of bands) {
    const rows = await picture.readRegion(0, 0, band * BAND, picture.width, BAND);
    expect(sha256(rows), `band ${band}`).toBe(read.bands[band]);
  }
  picture.close();
  await file.close();
  return file.bytesRead();
}

describe("a slide in a local file", () => {
  it.each(Object.keys(files))("%s has the pixels and the facts that the service reads (LI2, LI3)", async (name) => {
    await compare(VECTORS + name, files[name]!, [0]);
  });

  // Two bands of each: all of them are 370 million pixels.
  it.each(Object.keys(real))(
    "%s has the pixels and the facts that the service reads (LI2)",
    async (name) => {
      const path = `${REAL}/${name}`;
      if (!REAL || !existsSync(path)) {
        expect(process.env.WAVESCOPE_REQUIRE_DATA, `${name} is not here`).not.toBe("1");
        return;
      }
      const read = real[name]!;
      await compare(path, read, [1, read.bands.length - 1]);
    },
    300_000,
  );

  it("is read by ranges: a region takes its tiles and the index alone (LI1)", async () => {
    const file = await diskFile(`${VECTORS}lzw.tif`);
    const picture = await openLocalPicture(file, codecs);
    const before = file.bytesRead();
    await picture.readRegion(0, 10, 10, 20, 20);
    expect([before < 4000, file.bytesRead() - before < 0.1 * (await file.size())]).toEqual([true, true]);
    await picture.readRegion(0, 12, 12, 20, 20);
    const after = file.bytesRead();
    await picture.readRegion(0, 0, 0, 64, 64);
    expect(file.bytesRead()).toBe(after); // a decoded tile is cached
    await file.close();
  });

  it("caches decoded tiles up to a number of bytes, and reads those that are gone again (LI1)", async () => {
    const file = await diskFile(`${VECTORS}lzw.tif`);
    const tile = 3 * 64 * 64;
    const picture = await openLocalPicture(file, codecs, undefined, 2 * tile);
    const read = async (x: number): Promise<number> => {
      const before = file.bytesRead();
      await picture.readRegion(0, x, 0, 1, 1);
      return file.bytesRead() - before;
    };
    expect([(await read(0)) > 0, (await read(64)) > 0, await read(0), await read(64)]).toEqual([true, true, 0, 0]);
    expect([(await read(128)) > 0, await read(64), (await read(0)) > 0]).toEqual([true, 0, true]);
    await file.close();
  });

  it("has the reduced pictures of its file as levels, and neither label, macro image nor thumbnail (LI4)", async () => {
    for (const name of ["aperio-jpeg2000.svs", "deflate-big-endian.tif", "jpeg-ycbcr.tif"]) {
      const file = await diskFile(VECTORS + name);
      expect((await openLocalPicture(file, codecs)).levels, name).toEqual([
        { width: 300, height: 200 },
        { width: 150, height: 100 },
      ]);
      await file.close();
    }
  });

  it("gives regions clipped to the level, and refuses those outside (LI2)", async () => {
    const file = await diskFile(`${VECTORS}none-strips.tif`);
    const picture = await openLocalPicture(file, codecs);
    expect((await picture.readRegion(0, 290, 150, 100, 100)).length).toBe(3 * 10 * 50);
    for (const [x, y, width] of [
      [300, 0, 1],
      [0, 200, 1],
      [-1, 0, 1],
      [0, 0, 0],
      [0.5, 0, 1],
      [Number.NaN, 0, 1],
    ] as const)
      await expect(picture.readRegion(0, x, y, width, 1)).rejects.toBeInstanceOf(RangeError);
    await expect(picture.readRegion(1, 0, 0, 1, 1)).rejects.toBeInstanceOf(RangeError);
    await expect(picture.readRegion(0, 0, 0, 9, 9, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
    picture.close();
    await expect(picture.readRegion(0, 0, 0, 1, 1)).rejects.toBeInstanceOf(RangeError);
    await file.close();
  });
});
