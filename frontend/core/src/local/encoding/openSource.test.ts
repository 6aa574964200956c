import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SlideFileError } from "../../wire/files/errors";
import { nodeCodecs } from "../testing";
import type { LocalQuality } from "./choice";
import { encodeSlide } from "./encodeSlide";
import { openSource } from "./openSource";
import { sha256 } from "../../sha256";
import { BlobSpool } from "./spool";
import { testEncoder } from "./testing";

const FOLDER = fileURLToPath(new URL("../../../../../shared/vectors/local/", import.meta.url));

interface Case {
  readonly file: string;
  readonly quality: LocalQuality;
  readonly source: { readonly format: string; readonly bytes: number; readonly tile_bytes: number | null };
  readonly digest: string;
}

/** Made by `cd backend/tests && python -m ingest.make_local_vectors`. */
const { files } = JSON.parse(readFileSync(`${FOLDER}versions.json`, "utf8")) as { readonly files: readonly Case[] };
const opened = (name: string, bytes: Uint8Array<ArrayBuffer>) => openSource(new File([bytes], name), nodeCodecs());

describe("a file of this computer", () => {
  for (const { file: name, quality, source, digest } of files)
    it(`${name} is encoded to the version that the service's import makes of it (LI20)`, async () => {
      const bytes = new Uint8Array(readFileSync(FOLDER + name));
      const { picture, format, tileBytes, compression } = await opened(name, bytes);
      expect({ format, tile_bytes: tileBytes }).toEqual({ format: source.format, tile_bytes: source.tile_bytes });
      const { width, height, facts } = picture;
      const { mppX, mppY, objective, vendor } = facts;
      const icc = facts.icc && new Uint8Array(facts.icc);
      const fingerprint = sha256(bytes);
      const scale = { mppX, mppY, objective, vendor, icc };
      const described = { width, height, format, bytes: bytes.length, tileBytes, compression, fingerprint, ...scale };
      const made = await encodeSlide(described, quality, {
        encoder: await testEncoder(),
        read: async (x, y, w, h) => ({ width: w, height: h, data: await picture.readRegion(0, x, y, w, h) }),
        spool: new BlobSpool(),
      });
      expect(made.digest).toBe(digest);
    }, 120_000);
});

it("refuses what only the service reads, and damaged pictures (LI25)", async () => {
  const text = new TextEncoder().encode("no slide");
  await expect(opened("text.svs", text)).rejects.toBeInstanceOf(SlideFileError);
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52);
  await expect(opened("a.png", png)).rejects.toMatchObject({ fault: "truncated" });
  const header = (width: number, depth: number, colour: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(60);
    bytes.set(png);
    new DataView(bytes.buffer).setUint32(16, width);
    bytes.set([0, 0, 1, 0, depth, colour], 20);
    return bytes;
  };
  await expect(opened("a.png", header(2 ** 31, 8, 2))).rejects.toMatchObject({ fault: "too-large" });
  await expect(opened("a.png", header(256, 16, 2))).rejects.toMatchObject({ fault: "unsupported" });
  const profiled = header(256, 8, 2);
  profiled.set(new TextEncoder().encode("iCCP"), 37);
  await expect(opened("a.png", profiled)).rejects.toMatchObject({ fault: "unsupported" });
});
