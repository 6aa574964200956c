import { expect, it } from "vitest";
import { type Extent, type Registration, startLink } from "./registration";
import { linkLabel } from "./labels";

const slide: Extent = { id: "a", width: 4000, height: 3000, planes: 7, mpp: { x: 0.25 }, planeSpacingUm: 1 };
const other: Extent = { ...slide, id: "b" };
const words = (change: Partial<Registration>, zoom = 1, right = other): string => {
  return linkLabel({ registration: { ...startLink(slide, right).registration, ...change }, zoom }, slide, right);
};

it.each<[string, Partial<Registration>, number?, Extent?]>([
  ["Linked at centre", {}],
  ["Linked at the same position", {}, 1, slide],
  ["Linked: B shifted by 100 µm", { l0_dx: 400 }],
  ["Linked: B shifted by 1.5 mm", { l0_dy: -6000 }],
  ["Linked: B shifted by 400 px", { l0_dx: 400 }, 1, { ...other, mpp: null }],
  ["Linked: B −2 planes", { planeShift: -2 }],
  ["Linked: B shifted by 0.25 µm, +1 plane, magnified 4×", { l0_dx: 1, planeShift: 1 }, 4],
])("says: %s", (expected, change, zoom, right) => {
  expect(words(change, zoom, right)).toBe(expected);
});

it("says turns and scales about the slide's middle", () => {
  const registration = { ...startLink(slide, other).registration, scale: 0.98, rotation: 350, mirrored: true };
  expect(linkLabel({ registration, zoom: 1 }, slide, other)).toMatch(/rotated by −10°, mirrored, scaled 0.98×/);
});
