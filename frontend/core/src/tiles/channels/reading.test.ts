import { expect, it } from "vitest";
import type { Channel } from "../../wire/slides/manifest";
import { readingOf } from "./reading";

const channel: Channel = {
  name: "CD8",
  colour: "FF0000",
  display: { low: 0, high: 255, gamma: 100, on: true },
  noise: { black: 100, gain: 4, read: 3 },
};
const shown = { value: 500, level: 0, whole: true };
const visual = { lossless: false, steps: 0.5 };

it("CM7: is exact where the slide is lossless and all layers are here, at full resolution alone", () => {
  const lossless = { lossless: true, steps: null };
  expect(readingOf(shown, lossless, channel)).toEqual({ kind: "exact", value: 500 });
  expect(readingOf({ ...shown, level: 1 }, lossless, channel)).toEqual({ kind: "about", value: 500 });
  expect(readingOf({ ...shown, whole: false }, lossless, channel)).toEqual({ kind: "about", value: 500 });
});

it("CM7: has an interval of four deviations for steps of one", () => {
  expect(readingOf(shown, visual, channel)).toEqual({ kind: "within", value: 500, within: 81 }); // 4 * 0.5 * sqrt(9 + 1600)
  expect(readingOf({ ...shown, value: -7 }, visual, channel)).toEqual({ kind: "within", value: -7, within: 6 });
});

it("CM7: has none where the noise is not known", () => {
  expect(readingOf(shown, visual, { ...channel, noise: null })).toEqual({ kind: "about", value: 500 });
  expect(readingOf(shown, { lossless: false, steps: null }, channel)).toEqual({ kind: "about", value: 500 });
});
