import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { LocalQuality } from "./choice";
import { LOSSLESS } from "./compression";
import { type SourceFacts, encodeSlide } from "./encodeSlide";
import { Real, canonical, indented } from "./json";
import { Sha256, sha256 } from "../../sha256";
import { BlobSpool } from "./spool";
import { madePicture, readerOf, testEncoder } from "./testing";

interface Case {
  readonly width: number;
  readonly height: number;
  readonly quality: LocalQuality;
  readonly source: Pick<SourceFacts, "format" | "bytes" | "fingerprint">;
  readonly digest: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Made by `cd backend/tests && python -m ingest.make_local_vectors`, with the service's encoder. */
const VECTORS = fileURLToPath(new URL("../../../../../shared/vectors/local/versions.json", import.meta.url));
const { cases } = JSON.parse(readFileSync(VECTORS, "utf8")) as { readonly cases: readonly Case[] };

const bytesOf = async (content: Blob | Uint8Array): Promise<Uint8Array> =>
  content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;

describe("a picture that is encoded here", () => {
  for (const { width, height, quality, source, digest, files } of cases)
    it(`of ${width} x ${height}, ${quality}, gives every file and the digest of an import by the service (LI20)`, async () => {
      const made = await encodeSlide({ width, height, tileBytes: null, compression: LOSSLESS, ...source }, quality, {
        encoder: await testEncoder(),
        read: readerOf(madePicture(width, height)),
        spool: new BlobSpool(),
      });
      const hashes: Record<string, string> = {};
      for (const [path, { content }] of made.files()) hashes[path] = sha256(await bytesOf(content));
      expect(hashes).toEqual(files);
      expect(made.digest).toBe(digest);
    }, 120_000);
});

it("reports its progress, and ends when it is cancelled (LI23)", async () => {
  const picture = madePicture(700, 600);
  const cancel = new AbortController();
  const reported: number[] = [];
  const file = { format: "bmp", bytes: 1, tileBytes: null, compression: LOSSLESS, fingerprint: "0".repeat(64) };
  const source = { width: 700, height: 600, ...file };
  const run = (signal?: AbortSignal) =>
    testEncoder().then((encoder) =>
      encodeSlide(source, "lossless", {
        encoder,
        read: readerOf(picture),
        spool: new BlobSpool(),
        progress: (done, total) => {
          expect(total).toBe(9 + 4 + 1);
          reported.push(done);
          if (signal) cancel.abort();
        },
        ...(signal && { signal }),
      }),
    );
  await run();
  expect(reported).toEqual([9, 13, 14]);
  await expect(run(cancel.signal)).rejects.toMatchObject({ name: "AbortError" });
  expect(reported).toHaveLength(4);
});

it("writes JSON as the service does (ST3)", () => {
  const value = {
    b: new Real(40),
    a: [new Real(0.25), new Real(1e-5), new Real(1.5e16), 3],
    "\u{1F52C}": "µ\n",
    é: null,
  };
  expect(canonical(value)).toBe('{"a":[0.25,1e-05,1.5e+16,3],"b":40.0,"é":null,"🔬":"µ\\n"}');
  expect(indented({ a: [], b: { c: "µ" }, d: [1, true] })).toBe(
    '{\n "a": [],\n "b": {\n  "c": "\\u00b5"\n },\n "d": [\n  1,\n  true\n ]\n}\n',
  );
  expect(() => canonical(0.5)).toThrow(RangeError);
  expect([0.0001, 123456.789, 1e15, -0.5, 1e22].map((one) => canonical(new Real(one)))).toEqual([
    "0.0001",
    "123456.789",
    "1000000000000000.0",
    "-0.5",
    "1e+22",
  ]);
});

it("hashes bytes in pieces as in one (LI21)", () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i * 7);
  const whole = sha256(bytes);
  expect(sha256(new TextEncoder().encode("abc"))).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  for (const length of [1, 55, 56, 63, 64, 65, 200]) {
    const hash = new Sha256();
    for (let at = 0; at < bytes.length; at += length) hash.update(bytes.subarray(at, at + length));
    expect(hash.hex()).toBe(whole);
  }
});
