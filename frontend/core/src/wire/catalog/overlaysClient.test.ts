import { afterEach, expect, it, vi } from "vitest";
import { addTranslation } from "../../i18n/i18n";
import { stubFetch } from "../http/fetchStub";
import { readOverlays } from "./overlaysClient";

afterEach(() => vi.unstubAllGlobals());

const overlay = (name: string, author = "") => ({
  ...{ id: name, name, author, created: "2026-11-22T12:00:00Z", digest: "00".repeat(32), bytes: 9, shapes: 0 },
  ...{ width: 8, height: 8, top: 0, outlines: null, score: null, transform: [1, 0, 0, 0, 1, 0] },
  classes: [{ name: "Ink", color: "6a4c93", count: 1 }],
});

it("the overlay that the service makes is named in the language of the page, another one as people named it (LG5)", async () => {
  addTranslation({ "names.Scan-quality": "Scanqualität", "names.Ink": "Tinte" });
  stubFetch({ overlays: [overlay("Scan quality"), overlay("Scan quality", "Ada"), overlay("Cells")] });
  const read = await readOverlays("he");
  expect(read.map(({ name, classes }) => [name, classes[0]!.name])).toEqual([
    ["Scanqualität", "Tinte"],
    ["Scan quality", "Ink"],
    ["Cells", "Ink"],
  ]);
});
