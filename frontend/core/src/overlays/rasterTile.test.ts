import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CorruptError } from "../wire/http/errors";
import { type RasterInfo, decodeRaster, topOf } from "./rasterTile";

interface Case {
  readonly name: string;
  readonly raster: RasterInfo;
  readonly level: number;
  readonly x: number;
  readonly y: number;
  /** Base64. */
  readonly member: string;
  /** SHA-256. */
  readonly samples: string;
}

const vectors = new URL("../../../../shared/vectors/overlays/rasters-3.json", import.meta.url);
const { cases, damaged } = JSON.parse(readFileSync(vectors, "utf8")) as Record<"cases" | "damaged", readonly Case[]>;
const decoded = (one: Case) => decodeRaster(Uint8Array.from(Buffer.from(one.member, "base64")), one.raster, one);

describe("tiles of rasters", () => {
  it.each(cases)("OV65 to OV68: $name", async (one) => {
    const { samples } = await decoded(one);
    expect(createHash("sha256").update(new Uint8Array(samples.buffer)).digest("hex")).toBe(one.samples);
  });

  it.each(damaged)("OV21: $name is refused", async (one) => {
    await expect(decoded(one)).rejects.toBeInstanceOf(CorruptError);
  });

  it("OV65: the top level is the first one that is one tile", () => {
    const top = (width: number, height: number) => topOf({ kind: "labels", width, height, last: 1, labels: [] });
    expect([top(1, 1), top(512, 512), top(513, 1), top(1024, 1025), top(2 ** 18, 1)]).toEqual([0, 0, 1, 2, 9]);
  });
});
