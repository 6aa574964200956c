import { expect, it } from "vitest";
import { bytesLabel, durationLabel, percentLabel, sizeLabel } from "./format";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [308_046, "308 kB"],
  [1_540_000, "1.5 MB"],
  [99_400_000, "99.4 MB"],
  [999_900_000, "1.0 GB"],
])("writes %i bytes as %s", (bytes, label) => {
  expect(bytesLabel(bytes)).toBe(label);
});

it("writes sizes and times as people read them", () => {
  expect(sizeLabel(17408, 14336)).toBe("17,408 × 14,336 px");
  expect([0.2, 42, 600, 7200].map(durationLabel)).toEqual(["less than 1 s", "42 s", "10 min", "2.0 h"]);
});

it("writes parts as whole percents, neither 0 nor 100 before they are", () => {
  expect([0, 0.001, 0.999, 1].map(percentLabel)).toEqual(["0%", "<1%", "99%", "100%"]);
});
