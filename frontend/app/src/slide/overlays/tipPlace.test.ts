import { expect, it } from "vitest";
import { tipPlace } from "./tipPlace";

it.each([
  ["right of and below the pointer", [100, 100], [1000, 800], { left: 114, top: 114, maxWidth: 260 }],
  ["left of it at the right edge", [900, 100], [1000, 800], { right: 114, top: 114, maxWidth: 260 }],
  ["left of it at a panel", [600, 100], [650, 800], { right: 414, top: 114, maxWidth: 260 }],
  ["above it at a panel below", [100, 350], [1000, 400], { left: 114, bottom: 464, maxWidth: 260 }],
  ["no wider than what is free of a phone", [150, 100], [390, 400], { left: 164, top: 114, maxWidth: 226 }],
] as const)("OV83: a tip lies %s", (_, at, free, expected) => {
  expect(tipPlace(at, [1000, 800], free)).toEqual(expected);
});
