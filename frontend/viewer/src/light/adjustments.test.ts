import { expect, it } from "vitest";
import { isPlain, parseAdjustments, plain, whiteOf, changedOf } from "./adjustments";

it("reads back what it is given", () => {
  const set = {
    brightness: 0.25,
    contrast: 1.5,
    gamma: 0.8,
    saturation: 0,
    white: [240, 238, 231],
    profile: false,
    mix: null,
    stain: null,
    overlays: null,
    extended: false,
  };
  expect(parseAdjustments(JSON.parse(JSON.stringify(set)))).toEqual(set);
});

it("takes what is missing, unknown or impossible for plain, and brings back what goes too far", () => {
  expect(parseAdjustments({ later: 1, contrast: "2", gamma: NaN, white: [1, 2], brightness: 7 })).toEqual({
    ...plain,
    brightness: 1,
  });
  for (const other of [null, undefined, 3, "x", []]) expect(parseAdjustments(other)).toEqual(plain);
});

it("tells links only what is not plain", () => {
  expect(changedOf(plain)).toBeNull();
  const set = { ...plain, gamma: 1.5, white: [240, 238, 231] as const };
  expect(changedOf(set)).toEqual({ gamma: 1.5, white: [240, 238, 231] });
  expect(parseAdjustments(changedOf(set))).toEqual(set);
});

it("CM8: tells links the mix, an entry for each channel", () => {
  const mix = { c3: [0xff8000, 10, 200, 100] };
  const changed = changedOf({ ...plain, gamma: 1.5, mix });
  expect(changed).toEqual({ gamma: 1.5, c3: [0xff8000, 10, 200, 100] });
  expect(parseAdjustments(changed)).toEqual({ ...plain, gamma: 1.5, mix });
  expect(isPlain({ ...plain, mix })).toBe(true);
});

it("counts as plain whatever the profile's switch says", () => {
  expect([isPlain(plain), isPlain({ ...plain, profile: false }), isPlain({ ...plain, gamma: 1.1 })]).toEqual([
    true,
    true,
    false,
  ]);
});

it("takes no dark place for glass", () => {
  expect(whiteOf([240.4, 238.6, 231])).toEqual([240, 239, 231]);
  expect(whiteOf([240, 238, 8])).toBeNull();
});

it("SN7: tells links the entries of a stain view", () => {
  const stain = { stain: 1, stain1: [560, 740, 372], stain2: [216, 848, 484] };
  const changed = changedOf({ ...plain, stain });
  expect(changed).toEqual(stain);
  expect(parseAdjustments(changed)).toEqual({ ...plain, stain });
  expect(isPlain({ ...plain, stain })).toBe(false);
});
