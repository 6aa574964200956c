import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Chooser, type Choice, type LocalQuality, isLocalQuality } from "./choice";
import { LOSSLESS } from "./compression";
import { type Value, canonical } from "./json";
import { sha256 } from "../../sha256";
import { madePicture, readerOf, testEncoder } from "./testing";

/** What a service chooses when each round has so many bytes and so many dB. */
interface Rounds {
  readonly quality: LocalQuality;
  readonly bytes: number;
  readonly psnr: number;
  readonly max_bytes: number;
  readonly chosen: readonly unknown[];
}

/** Made by `cd backend/tests && python -m ingest.make_local_vectors`, with the service's import. */
const VECTORS = fileURLToPath(new URL("../../../../../shared/vectors/local/versions.json", import.meta.url));
const { rounds } = JSON.parse(readFileSync(VECTORS, "utf8")) as { readonly rounds: readonly Rounds[] };

const described = ({ chosen, codec }: Choice): unknown => ({
  ...(JSON.parse(canonical(chosen)) as object),
  codec: sha256(new TextEncoder().encode(canonical(codec as unknown as Value))),
});

describe("encoding again", () => {
  for (const { quality, bytes, psnr, max_bytes: maxBytes, chosen } of rounds)
    it(`${quality}: a version of ${bytes} bytes and ${psnr} dB has the same parameters next as at the service (LI20, ST66, ST67)`, async () => {
      const source = { width: 320, height: 270, compression: LOSSLESS, maxBytes };
      const chooser = await Chooser.of(await testEncoder(), readerOf(madePicture(320, 270)), quality, source);
      const found = [described(chooser.current)];
      while (found.length < chosen.length && chooser.again({ bytes, psnr })) found.push(described(chooser.current));
      expect(found).toEqual(chosen);
    }, 120_000);
});

it("takes the qualities of pictures (LI20)", () => {
  for (const quality of ["compact", "visual", "fine", "auto", "lossless", "30dB", "42.5dB"])
    expect(isLocalQuality(quality)).toBe(true);
  for (const quality of ["", "best", "29dB", "51dB", "40", "0.3sigma", "toString"])
    expect(isLocalQuality(quality)).toBe(false);
});
