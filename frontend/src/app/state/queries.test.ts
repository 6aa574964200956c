import { replaceEqualDeep } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { parseManifest } from "../../wire/slides/manifest";

it("knows a manifest that was asked for again for the same: no microscope is opened anew for it", () => {
  const said = {
    id: "s",
    digest: "d",
    url: "/u",
    width: 2048,
    height: 1024,
    channels: 3,
    layers: 2,
    planes: 1,
    empty: { plane: 0, runs: [[1, 7], [2]] },
  };
  const first = parseManifest(said);
  expect(replaceEqualDeep(first, parseManifest(said))).toBe(first);
  expect(replaceEqualDeep(first, parseManifest({ ...said, digest: "e" }))).not.toBe(first);
});
