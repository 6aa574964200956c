import { replaceEqualDeep } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { testManifest } from "../../wire/testing";

it("knows a manifest that was asked for again for the same: no microscope is opened anew for it", () => {
  const served = { width: 2048, height: 1024, empty: { plane: 0, runs: [[1, 7], [2]] } };
  const first = testManifest(served);
  expect(replaceEqualDeep(first, testManifest(served))).toBe(first);
  expect(replaceEqualDeep(first, testManifest({ ...served, digest: "e" }))).not.toBe(first);
});
