import { expect, it } from "vitest";
import type { Receipt } from "@wavescope/viewer/view/receipt/receipt";
import { receiptFacts, verdictOf } from "./receiptFacts";

const receipt: Receipt = {
  kind: "wavescope-receipt",
  form: 1,
  wavescope: "1.2.3",
  time: "2026-01-02T03:04:05.000Z",
  account: null,
  slide: { id: "cells", digest: "0".repeat(32), width: 1000, height: 800 },
  view: { level: 1, x: 1024, y: 2, width: 300, height: 200, plane: 0, scale: 1, rotation: 0, flip: false },
  canvas: { x: 0, y: 0, width: 300, height: 200, corner: [0, 0], density: 1.5 },
  fidelity: { state: "exact", tiles: 6, coarse: 0, layers: 5, fewest_layers: 5 },
  adjustments: null,
  colour_profile: false,
  exact: true,
  sha256: { level: "a".repeat(64), canvas: "a".repeat(64) },
  picture: "data:image/png;base64,",
};
const valueOf = (one: Receipt, name: string, planes = 1): string | undefined =>
  receiptFacts(one, planes).find((fact) => fact.name === name)?.value;

it("says in words what was shown (PF9)", () => {
  expect(valueOf(receipt, "Sharpness")).toBe("Complete: 6 tiles with all 5 quality layers");
  expect(valueOf(receipt, "Place")).toBe("Level 1, from (1,024, 2), 300 × 200\u202fpx");
  expect(valueOf(receipt, "Image adjustments")).toBe("None: as stored");
  expect(valueOf(receipt, "Orientation")).toBe("Upright.");
  expect(valueOf(receipt, "Focal plane")).toBeUndefined();
  expect(valueOf(receipt, "Focal plane", 3)).toBe("plane 1 of 3");
});

it("names adjustments, what was coarse and what was damaged (PF9)", () => {
  const fidelity = { ...receipt.fidelity, state: "refining", coarse: 2 } as const;
  const changed = { ...receipt, fidelity, adjustments: { gamma: 1.25, white: [1, 2, 3], extended: true, stain: 1 } };
  expect(valueOf(changed, "Sharpness")).toBe("Not complete: 2 of 6 tiles were still coarse");
  expect(valueOf(changed, "Image adjustments")).toBe("Gamma 1.25, White point, Extended depth of field, stain 1");
  expect(valueOf({ ...receipt, fidelity: { ...fidelity, state: "damaged" } }, "Sharpness")).toBe(
    "Part of the picture was damaged.",
  );
});

it("says that stored pixels are shown only where the hashes say so (PF10)", () => {
  expect(verdictOf(receipt)).toBe("The screen shows exactly the stored pixels.");
  expect(verdictOf({ ...receipt, sha256: { ...receipt.sha256, canvas: "b".repeat(64) } })).toBe(
    "The pixels on the screen differ from the stored ones.",
  );
  expect(verdictOf({ ...receipt, exact: false })).toContain("scaled, turned or adjusted");
  expect(verdictOf({ ...receipt, view: { ...receipt.view, scale: 2 } })).toContain("each as 2 × 2");
  const mixed = { ...receipt, exact: false, sha256: { ...receipt.sha256, level: null } };
  expect(valueOf(mixed, "SHA-256, slide")).toContain("no hash of stored pixels");
});
