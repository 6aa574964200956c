import { describe, expect, it } from "vitest";
import { annotationClient } from "../annotations/annotations";
import { readOverlays } from "../catalog/overlaysClient";
import { ContractError, CorruptError } from "../http/errors";
import { readColour } from "../slides/colourClient";
import { servedManifest } from "../testing";
import { openArchive } from "./archive";
import { SlideFileError } from "./errors";
import { openExport } from "./open";
import { archiveOf, memoryFile, memoryFolder } from "./testing";

const bytes = (document: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(document));
const content = { kind: "point", geometry: { type: "Point", coordinates: [10, 20] }, name: "a mitosis" };
const annotation = {
  ...{ id: "one", revision: 1, deleted: false, author: "", content },
  ...{ created: "2026-01-01T00:00:00Z", updated: "2026-01-01T00:00:00Z" },
};
const list = {
  annotations: [annotation],
  sequence: 7,
  more: false,
  total: 1,
  classes: { tumour: [1, 2, 3] },
  editable: true,
};

function files(change: Record<string, unknown> = {}) {
  const slide = servedManifest({ icc: true, url: ".", thumbnail: "thumbnail.jpg", allowed: ["edit annotations"] });
  const colour = { profile: "a scanner", state: "same", nodes: 52 };
  const document = { format: "wavescope-export", version: "1.0", slide, colour, annotations: true, ...change };
  return new Map([
    ["export.json", bytes(document)],
    ["annotations.json", bytes(list)],
    ["thumbnail.jpg", new Uint8Array(4)],
    ["colour.png", new Uint8Array([1, 2, 3])],
    ["layer-index", new TextEncoder().encode("WSLX and more")],
  ]);
}

describe("an exported slide", () => {
  it("is a manifest with its files in the place of the service; nothing of it may be changed (SH2, SH9)", async () => {
    const { manifest, annotated } = await openExport(memoryFolder(files()));
    expect(manifest).toMatchObject({ id: "s", allowed: [], editable: false, original: null });
    expect([annotated, manifest.url]).toEqual([true, expect.stringMatching(/^blob:.*#memory\/$/)]);
    manifest.files?.close();
  });

  it("has the overlays that it says it has, and names damage as the service does (SH34)", async () => {
    const without = (await openExport(memoryFolder(files()))).manifest.files!.fetcher;
    expect(await readOverlays("s", undefined, without)).toEqual([]);
    const damaged = files({ overlays: true }).set("overlays.json", bytes({ overlays: 7 }));
    const { fetcher } = (await openExport(memoryFolder(damaged))).manifest.files!;
    await expect(readOverlays("s", undefined, fetcher)).rejects.toMatchObject({
      problem: "corrupt-store",
      status: 500,
    });
    const empty = files({ overlays: true }).set("overlays.json", bytes({ overlays: [] }));
    expect(await readOverlays("s", undefined, (await openExport(memoryFolder(empty))).manifest.files!.fetcher)).toEqual(
      [],
    );
  });

  it("answers for its colours and annotations, and refuses changes (SH9)", async () => {
    const { manifest } = await openExport(await openArchive(memoryFile(archiveOf(files()).bytes)));
    const { fetcher } = manifest.files!;
    expect(await readColour(manifest, undefined, fetcher)).toEqual({
      profile: "a scanner",
      state: "same",
      table: null,
    });
    const table = await fetcher(`${manifest.url}/colour/table.png`);
    expect([table.status, ...new Uint8Array(await table.arrayBuffer())]).toEqual([200, 1, 2, 3]);
    const client = annotationClient(manifest.id, fetcher);
    const first = await client.page(null);
    expect(first).toMatchObject({ editable: false, total: 1, sequence: 7 });
    expect(first.annotations[0]!.content?.name).toBe("a mitosis");
    expect((await client.page(7)).annotations).toEqual([]);
    await expect(client.change([{ id: "one", revision: 1, content: null }])).rejects.toMatchObject({ status: 403 });
  });

  it("without annotations has none, and reads no file of them (SH2)", async () => {
    const folder = memoryFolder(files({ annotations: false }));
    const { manifest, annotated } = await openExport(folder);
    expect(annotated).toBe(false);
    expect((await annotationClient(manifest.id, manifest.files!.fetcher).page(null)).annotations).toEqual([]);
    expect(folder.reads.some((read) => read.startsWith("annotations"))).toBe(false);
  });

  it("that is not there, is of a later version, or breaks the contract, is refused with the reason (SH8)", async () => {
    await expect(openExport(memoryFolder(new Map()))).rejects.toMatchObject({ fault: "missing" });
    await expect(openExport(memoryFolder(files({ version: "2.0" })))).rejects.toMatchObject({ fault: "unsupported" });
    for (const change of [{ format: "zip" }, { slide: null }, { slide: servedManifest({ width: 0 }) }, { slide: {} }])
      await expect(openExport(memoryFolder(files(change)))).rejects.toBeInstanceOf(ContractError);
    for (const text of ["", "null", "[]", "{", '"a"'])
      await expect(
        openExport(memoryFolder(new Map([["export.json", new TextEncoder().encode(text)]]))),
      ).rejects.toBeInstanceOf(ContractError);
  });

  it("is refused where its layer index is missing, another file, or not read in ranges (SH5, SH8)", async () => {
    const [missing, another] = [files(), files()];
    missing.delete("layer-index");
    another.set("layer-index", new Uint8Array(100));
    for (const damaged of [missing, another])
      await expect(openExport(memoryFolder(damaged))).rejects.toBeInstanceOf(CorruptError);
    const whole = memoryFolder(files());
    const read = () => Promise.reject(new SlideFileError("no-ranges", "a"));
    await expect(openExport({ ...whole, read })).rejects.toMatchObject({ fault: "no-ranges" });
  });

  it("is refused at every truncated length of its document (SH8)", async () => {
    const whole = files().get("export.json")!;
    for (let length = 0; length < whole.length; length += 7)
      await expect(openExport(memoryFolder(new Map([["export.json", whole.slice(0, length)]])))).rejects.toBeInstanceOf(
        ContractError,
      );
  });
});
