import { expect, it } from "vitest";
import { type ViewFacts, annotationText, changedSentences, sentencesOf } from "./sentences";

const facts: ViewFacts = {
  magnification: "20×",
  slide: { width: 120_000, height: 90_000 },
  mpp: { x: 0.25, y: 0.25 },
  l0_x: 20_000,
  l0_y: 18_000,
  l0_width: 4000,
  l0_height: 2000,
  whole: false,
  parts: { slide: 0.031, tissue: 0.612, sides: [] },
  rotation: 0,
  flip: false,
  focus: null,
  channels: null,
  annotations: null,
  overlays: [],
  fidelity: "sharp",
};
const summary = (other: Partial<ViewFacts> = {}): string[] =>
  sentencesOf({ ...facts, ...other }).map(({ text }) => text);
const changes = (now: Partial<ViewFacts>, before: Partial<ViewFacts> = {}) =>
  changedSentences(sentencesOf({ ...facts, ...now }), sentencesOf({ ...facts, ...before }));

it("says magnification, place, field, tissue, turn and sharpness of a view (PG106)", () => {
  expect(summary()).toEqual([
    "Magnification 20×.",
    "Upper left third, 5\u202fmm from the left, 4.5\u202fmm from the top.",
    "Field of 1\u202fmm by 500\u202fµm, 3% of the slide.",
    "61% of the view is tissue.",
    "Upright.",
    "The picture is sharp.",
  ]);
});

it.each([
  [{ l0_x: 60_000, l0_y: 45_000 }, "Middle third, 15\u202fmm from the left, 11.25\u202fmm from the top."],
  [{ l0_x: 119_999, l0_y: 89_999 }, "Lower right third, 30\u202fmm from the left, 22.5\u202fmm from the top."],
  [{ l0_x: -100, l0_y: 100 }, "Upper left third, -25\u202fµm from the left, 25\u202fµm from the top."],
  [{ mpp: null }, "Upper left third, 20,000 pixels from the left, 18,000 pixels from the top."],
  [{ whole: true }, "The whole slide is in view."],
])("says where %j is (PG106)", (other, text) => {
  expect(summary(other)[1]).toBe(text);
});

it("says the turn, the focus, the channels, and what is not there (PG106)", () => {
  expect(summary({ rotation: 90, flip: true })).toContain("Rotated by 90° and mirrored.");
  expect(summary({ rotation: 359.9 })).toContain("Upright.");
  expect(summary({ focus: "Plane 3 of 7" })).toContain("Plane 3 of 7.");
  expect(summary({ channels: ["DAPI", "CD3"] })).toContain("Channels shown: DAPI, CD3.");
  expect(summary({ parts: { ...facts.parts, tissue: 0 } })).toContain("No tissue in view.");
  expect(summary({ parts: { ...facts.parts, tissue: null } }).join(" ")).not.toContain("tissue");
  expect(summary({ parts: { ...facts.parts, sides: ["left", "top"] } })).toEqual(
    expect.arrayContaining(["The left edge of the slide is in view.", "The upper edge of the slide is in view."]),
  );
  expect(summary({ fidelity: "coarse" })).toContain("The picture is still loading.");
});

it("counts annotations by class, names the nearest ones, and counts the objects of overlays (PG106)", () => {
  const classes = ["Tumor", "", "Stroma", "Immune", "Necrosis", "Fat"].map((name, i) => ({ name, count: 6 - i }));
  const text = summary({
    annotations: { classes, nearest: ["Crypts · Tumor", "Point"] },
    overlays: [{ name: "Nuclei", count: 1204 }],
  });
  expect(text).toContain(
    "21 annotations in view: Tumor: 6, without a class: 5, Stroma: 4, Immune: 3, Necrosis: 2, other classes: 1.",
  );
  expect(text).toContain("Nearest to the middle: Crypts · Tumor, Point.");
  expect(text).toContain("Nuclei: objects in view: 1,204.");
  expect(summary({ annotations: { classes: [], nearest: [] } })).toContain("No annotations in view.");
});

it("says of a move only what it changed, never the sentences of the summary alone (PG107)", () => {
  expect(changes({})).toEqual([]);
  expect(changes({ l0_x: 24_000 })).toEqual(["Upper left third, 6\u202fmm from the left, 4.5\u202fmm from the top."]);
  expect(changes({ magnification: "30×", l0_width: 2667 })).toEqual(["Magnification 30×."]);
  expect(changes({ focus: "Plane 4 of 7" }, { focus: "Plane 3 of 7" })).toEqual(["Plane 4 of 7."]);
  const annotations = { classes: [{ name: "Tumor", count: 1 }], nearest: ["Crypts"] };
  expect(changes({ annotations })).toEqual(["1 annotation in view: Tumor: 1."]);
  expect(changedSentences(sentencesOf(facts), [])).toHaveLength(5);
});

it("names an annotation, its number, its measures and where it lies along the screen (PG110)", () => {
  const one = { name: "Crypts · Tumor", number: 2, count: 5, across: 800, down: -200, measures: ["0.2\u202fmm²"] };
  expect(annotationText(one, facts.mpp)).toBe(
    "Crypts · Tumor, 2 of 5 in view, 200\u202fµm to the right of the middle and 50\u202fµm above it. 0.2\u202fmm².",
  );
  expect(annotationText({ ...one, across: -3, down: 1, measures: [] }, null)).toBe(
    "Crypts · Tumor, 2 of 5 in view, 3 pixels to the left of the middle and 1 pixel below it.",
  );
});
