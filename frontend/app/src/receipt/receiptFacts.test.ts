import { expect, it } from "vitest";
import type { ComparisonReceipt } from "@wavescope/viewer/compare/receipt";
import type { ShownSlide } from "@wavescope/viewer/view/receipt/receipt";
import { layoutFacts, paneFacts, shownFacts, takenFacts, verdictOf } from "./receiptFacts";

const taken = { wavescope: "1.2.3", time: "2026-01-02T03:04:05.000Z", account: null };
const shown: ShownSlide = {
  slide: { id: "cells", digest: "0".repeat(32), width: 1000, height: 800 },
  view: { level: 1, x: 1024, y: 2, width: 300, height: 200, plane: 0, scale: 1, rotation: 0, flip: false },
  canvas: { x: 0, y: 0, width: 300, height: 200, corner: [0, 0], density: 1.5 },
  fidelity: { state: "exact", tiles: 6, coarse: 0, layers: 5, fewest_layers: 5 },
  channels: null,
  adjustments: null,
  colour_profile: false,
  exact: true,
  sha256: { level: "a".repeat(64), canvas: "a".repeat(64) },
  picture: "data:image/png;base64,",
};
const channels = [{ c: 2, name: "CD8", colour: "FF0000", low: 120, high: 4000, gamma: 80 }];
const valueOf = (one: ShownSlide, name: string, planes = 1): string | undefined =>
  shownFacts(one, planes).find((fact) => fact.name === name)?.value;

it("says in words what was shown (PF9)", () => {
  expect(valueOf(shown, "Sharpness")).toBe("Complete: 6 tiles with all 5 quality layers");
  expect(valueOf(shown, "Place")).toBe("Level 1, from (1,024, 2), 300 × 200\u202fpx");
  expect(valueOf(shown, "Image adjustments")).toBe("None: as stored");
  expect(valueOf(shown, "Orientation")).toBe("Upright");
  expect(valueOf(shown, "Channels")).toBeUndefined();
  expect(valueOf(shown, "Focal plane")).toBeUndefined();
  expect(valueOf(shown, "Focal plane", 3)).toBe("plane 1 of 3");
  expect(takenFacts(taken)).toContainEqual({ name: "Account", value: "None" });
});

it("names adjustments, what was coarse and what was damaged (PF9)", () => {
  const fidelity = { ...shown.fidelity, state: "refining", coarse: 2 } as const;
  const changed = { ...shown, fidelity, adjustments: { gamma: 1.25, white: [1, 2, 3], extended: true, stain: 1 } };
  expect(valueOf(changed, "Sharpness")).toBe("Not complete: 2 of 6 tiles were still coarse");
  expect(valueOf(changed, "Image adjustments")).toBe("Gamma 1.25, White point, Extended depth of field, stain 1");
  expect(valueOf({ ...shown, fidelity: { ...fidelity, state: "damaged" } }, "Sharpness")).toBe(
    "Part of the picture was damaged.",
  );
});

it("says how channels were mixed (PF13)", () => {
  const mixed = { ...shown, channels };
  expect(valueOf(mixed, "Channels")).toBe("CD8 (#FF0000, 120 to 4,000, gamma 0.8)");
  expect(valueOf(mixed, "Image adjustments")).toBe("None: as mixed");
  expect(verdictOf(mixed)).toBe("The screen shows exactly the stored channels, mixed as the receipt says.");
});

it("says which file of this computer was shown, not its name (PF15)", () => {
  const file = { bytes: 68_000_000, sha256: "f".repeat(64) };
  const local: ShownSlide = { ...shown, slide: { file, width: 1000, height: 800 } };
  expect(valueOf(local, "Slide")).toBe("A file of this computer");
  expect(valueOf(local, "SHA-256, file")).toBe(file.sha256);
  expect(valueOf(local, "Sharpness")).toBe("Complete: 6 tiles");
  expect(valueOf(local, "Version")).toBeUndefined();
});

it("says which slide lies where (PF14)", () => {
  const place = { left: 683.4, top: 52, width: 682.6, height: 700 };
  const swipe = { lower: "A", upper: "B", divider: 0.25, blend: 0.5, swapped: true };
  const receipt: ComparisonReceipt = {
    kind: "wavescope-comparison",
    form: 1,
    ...taken,
    mode: "swipe",
    linked: true,
    swipe,
    panes: [{ ...shown, pane: "B", place }],
  };
  expect(paneFacts(receipt.panes[0]!)[0]!.value).toBe(
    "683 × 700\u202fpx, 683\u202fpx from the left and 52\u202fpx from the top of the page",
  );
  expect(layoutFacts(receipt).map(({ value }) => value)).toEqual([
    "Swipe",
    "Linked",
    "B over A, from the left edge to 25% of the width, with 50% opacity",
  ]);
  expect(layoutFacts({ ...receipt, mode: "side", swipe: null, linked: false })).toHaveLength(2);
});

it("says that stored pixels are shown only where the hashes say so (PF10)", () => {
  expect(verdictOf(shown)).toBe("The screen shows exactly the stored pixels.");
  expect(verdictOf({ ...shown, sha256: { ...shown.sha256, canvas: "b".repeat(64) } })).toBe(
    "The pixels on the screen differ from the stored ones.",
  );
  expect(verdictOf({ ...shown, view: { ...shown.view, scale: 2 } })).toContain("each as 2 × 2");
});

it("names the reasons that hold, and no others (PF10)", () => {
  const reasonsOf = (other: Partial<ShownSlide>, blended = false): string | undefined =>
    /The picture is (.*)\.$/.exec(verdictOf({ ...shown, exact: false, ...other }, blended))?.[1];
  expect(reasonsOf({ view: { ...shown.view, rotation: 30 } })).toBe("rotated");
  expect(reasonsOf({ view: { ...shown.view, scale: 0.7, flip: true }, adjustments: { gamma: 2 } })).toBe(
    "scaled, mirrored, and adjusted",
  );
  expect(reasonsOf({ colour_profile: true, adjustments: { profile: true } })).toBe("shown with the colour profile");
  expect(reasonsOf({}, true)).toBe("blended with another slide");
  const level = { ...shown.sha256, level: null };
  expect(reasonsOf({ adjustments: { extended: true }, sha256: level })).toBe("computed from all focal planes");
  expect(reasonsOf({ sha256: level })).toBe("made by the service");
  expect(reasonsOf({ fidelity: { ...shown.fidelity, state: "sharp" } })).toBe("not completely loaded");
  expect(valueOf({ ...shown, sha256: level }, "SHA-256, slide")).toContain("no stored pixels");
});
