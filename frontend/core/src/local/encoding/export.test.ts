import { expect, it } from "vitest";
import { openArchive } from "../../wire/files/archive";
import { localFile } from "../../wire/files/localFile";
import { openExport } from "../../wire/files/open";
import { readColour } from "../../wire/slides/colourClient";
import { archiveOf, inOrder } from "./archive";
import { crc32 } from "./bytes";
import { LOSSLESS } from "./compression";
import { type EncodedVersion, encodeSlide } from "./encodeSlide";
import { documentOf, exportOf } from "./export";
import { canonical } from "./json";
import { BlobSpool } from "./spool";
import { madePicture, readerOf, testEncoder } from "./testing";

const FILE = { format: "svs", bytes: 1000, tileBytes: 900, compression: LOSSLESS, fingerprint: "0".repeat(64) };
const SOURCE = { width: 700, height: 300, ...FILE };

const encoded = async (more = {}): Promise<EncodedVersion> =>
  encodeSlide({ ...SOURCE, mppX: 0.25, mppY: 0.25, objective: 40, vendor: "Aperio", ...more }, "lossless", {
    encoder: await testEncoder(),
    read: readerOf(madePicture(700, 300)),
    spool: new BlobSpool(),
  });

it("makes an exported slide that the page opens (LI24, SH10)", async () => {
  const version = await encoded({ icc: Uint8Array.of(1, 2, 3) });
  const blob = exportOf(version, "My title", Uint8Array.of(9));
  const folder = await openArchive(localFile(new File([blob], "slide.wsz")));
  const { manifest, annotated } = await openExport(folder);
  expect(annotated).toBe(false);
  expect(manifest).toMatchObject({ title: "My title", digest: version.digest, width: 700, height: 300, layers: 3 });
  expect(manifest.mpp).toEqual({ x: 0.25, y: 0.25 });
  expect(await folder.whole("icc", 10)).toEqual(Uint8Array.of(1, 2, 3));
  expect(await readColour(manifest, undefined, manifest.files!.fetcher)).toMatchObject({ state: "unapplied" }); // WI61
  const stored = JSON.parse(new TextDecoder().decode(await folder.whole("manifest.json", 1 << 20))) as object;
  expect(stored).toMatchObject({ digest: version.digest, objective_power: 40, vendor: "Aperio", icc: true });
  manifest.files!.close();
});

it("has nothing of the file but the picture, its scale, its colours and the title (LI24)", async () => {
  const { manifest } = await encoded({ name: "Miller 4711.svs", patient: "Miller" });
  const text = canonical(documentOf(manifest, "Case 1", new Date(0)));
  expect(text).not.toMatch(/Miller|4711/);
  expect(text).toContain('"name":"deidentified"');
  expect(text).toContain('"title":"Case 1"');
});

it("writes the files in the order of an export (SH10)", () => {
  const paths = ["levels/0/c.0.0.0.0.0", "zarr.json", "levels/zarr.json", "levels/10/zarr.json", "levels/2/zarr.json"];
  expect(inOrder([...paths, "approximation/zarr.json"])).toEqual([
    "approximation/zarr.json",
    "zarr.json",
    "levels/10/zarr.json",
    "levels/2/zarr.json",
    "levels/0/c.0.0.0.0.0",
    "levels/zarr.json",
  ]);
});

it("writes archives beyond 4 GiB, whose parts are not copied, and refuses an entry of more than 2 GB (SH12)", async () => {
  const large = 2_000_000_000;
  const ofSize = (path: string, size: number) => ({ path, size, crc: 0, content: new Uint8Array(0) });
  const parts = archiveOf([ofSize("a", large), ofSize("b", large), ofSize("c", large), ofSize("d", 5)]);
  const tail = await new Blob(parts.slice(-2)).arrayBuffer();
  const before = 3 * (31 + large) + 31 + 5;
  const folder = await openArchive({
    name: "large.wsz",
    size: () => Promise.resolve(before + tail.byteLength),
    read: (from, to) => Promise.resolve(new Uint8Array(tail.slice(from - before, to - before))),
  });
  await expect(folder.read("d", 0, 6)).rejects.toThrow("it has 5 bytes");
  expect(() => archiveOf([ofSize("a", large + 1)])).toThrow(RangeError);
  expect(crc32([new TextEncoder().encode("1234"), new TextEncoder().encode("56789")])).toBe(0xcbf43926);
});
