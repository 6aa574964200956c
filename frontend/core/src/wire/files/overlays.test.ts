import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { overlayTile, readOverlays } from "../catalog/overlaysClient";
import { ContractError, CorruptError } from "../http/errors";
import { overlaysFrom } from "./overlays";
import { type Files, memoryFolder } from "./testing";

const archive = new Uint8Array(
  readFileSync(new URL("../../../../../shared/vectors/overlays/archive.pmtiles", import.meta.url)),
);
const DIGEST = "ab".repeat(32);
const overlay = {
  ...{ id: "one", name: "Cells", digest: DIGEST, shapes: 0, bytes: archive.length, score: null, top: 7 },
  ...{ width: 65536, height: 65536, outlines: null, created: "2026-01-01T00:00:00Z", author: "" },
  ...{ classes: [{ name: "", color: "000000", count: 0 }], transform: [1, 0, 0, 0, 1, 0] },
};
const signal = new AbortController().signal;

function files(bytes = archive, list: unknown = { overlays: [overlay] }): Files {
  return new Map([
    ["overlays.json", new TextEncoder().encode(JSON.stringify(list))],
    [`overlays/${DIGEST}.pmtiles`, bytes],
  ]);
}

describe("overlays of an export", () => {
  it("are listed and read by ranges, through the leaves of their directory (SH34, OV18)", async () => {
    const folder = memoryFolder(files());
    const fetcher = overlaysFrom(folder);
    const [first] = await readOverlays("s", undefined, fetcher);
    expect(first).toMatchObject({ id: "one", name: "Cells", top: 7 });
    const places: readonly [number, number, number][] = [
      [7, 0, 0],
      [3, 15, 9],
      [0, 127, 126],
      [0, 64, 2],
    ];
    for (const [level, x, y] of places)
      expect([...(await overlayTile("s", first!, { level, x, y }, signal, fetcher))!]).toEqual([level, x, y]);
    for (const [level, x, y] of [
      [0, 64, 3],
      [8, 0, 0],
      [7, 1, 0],
    ] as const)
      expect(await overlayTile("s", first!, { level, x, y }, signal, fetcher)).toBeNull();
    expect(
      await overlayTile("s", { id: "other", digest: DIGEST }, { level: 7, x: 0, y: 0 }, signal, fetcher),
    ).toBeNull();
    const whole = folder.reads.filter((read) => read.endsWith(`0-${archive.length}`));
    expect(whole).toEqual([]);
  });

  it("that are damaged, missing or not what they say are refused (SH8)", async () => {
    const flipped = archive.slice();
    for (let at = 127; at < 5000; at += 1) flipped[at]! ^= 0xff;
    const [noArchive, tooLate] = [new Uint8Array(20_000), archive.slice(0, 1000)];
    for (const bytes of [flipped, noArchive, tooLate]) {
      const fetcher = overlaysFrom(memoryFolder(files(bytes)));
      const tile = overlayTile("s", overlay, { level: 0, x: 64, y: 2 }, signal, fetcher);
      await expect(tile).rejects.toThrow();
      const again = overlaysFrom(memoryFolder(files(bytes)))(`/api/v1/slides/s/overlays/one/tiles/0/64/2`);
      await expect(again).rejects.toBeInstanceOf(CorruptError);
    }
    const wrong = overlaysFrom(memoryFolder(files(archive, { overlays: [{ id: 1 }] })));
    await expect(wrong("/api/v1/slides/s/overlays")).rejects.toBeInstanceOf(ContractError);
  });
});
