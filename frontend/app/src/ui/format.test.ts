import { expect, it } from "vitest";
import { bytesLabel, durationLabel, percentLabel, sizeLabel } from "./format";

it.each([
  [0, "0\u202fB"],
  [999, "999\u202fB"],
  [1000, "1.0\u202fkB"],
  [308_046, "308\u202fkB"],
  [1_540_000, "1.5\u202fMB"],
  [99_400_000, "99.4\u202fMB"],
  [999_900_000, "1.0\u202fGB"],
])("writes %i bytes as %s", (bytes, label) => {
  expect(bytesLabel(bytes)).toBe(label);
});

it("writes sizes and times as people read them", () => {
  expect(sizeLabel(17408, 14336)).toBe("17,408 × 14,336\u202fpx");
  expect([0.2, 42, 600, 7200].map(durationLabel)).toEqual([
    "less than 1\u202fs",
    "42\u202fs",
    "10\u202fmin",
    "2.0\u202fh",
  ]);
});

it("writes parts as whole percents, neither 0 nor 100 before they are", () => {
  expect([0, 0.001, 0.999, 1].map(percentLabel)).toEqual(["0%", "<1%", "99%", "100%"]);
});
