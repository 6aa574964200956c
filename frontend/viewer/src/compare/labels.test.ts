import { expect, it } from "vitest";
import { type Extent, type Registration, startLink } from "./registration";
import { linksLabel } from "./labels";
import { linksFrom, startLinks } from "./links";

const slide: Extent = { id: "a", width: 4000, height: 3000, planes: 7, mpp: { x: 0.25 }, planeSpacingUm: 1 };
const other: Extent = { ...slide, id: "b" };
const words = (change: Partial<Registration>, zoom = 1, right = other): string => {
  const registration = { ...startLink(slide, right).registration, ...change };
  return linksLabel(
    linksFrom(2, () => ({ registration, zoom })),
    [slide, right],
  );
};

it.each<[string, Partial<Registration>, number?, Extent?]>([
  ["Linked at centre", {}],
  ["Linked at the same position", {}, 1, slide],
  ["Linked: B shifted by 100\u202fµm", { l0_dx: 400 }],
  ["Linked: B shifted by 1.5\u202fmm", { l0_dy: -6000 }],
  ["Linked: B shifted by 400\u202fpx", { l0_dx: 400 }, 1, { ...other, mpp: null }],
  ["Linked: B −2 planes", { planeShift: -2 }],
  ["Linked: B shifted by 0.25\u202fµm, +1 plane, magnified 4×", { l0_dx: 1, planeShift: 1 }, 4],
])("says: %s", (expected, change, zoom, right) => {
  expect(words(change, zoom, right)).toBe(expected);
});

it("says turns and scales about the slide's middle", () => {
  const registration = { ...startLink(slide, other).registration, scale: 0.98, rotation: 350, mirrored: true };
  expect(
    linksLabel(
      linksFrom(2, () => ({ registration, zoom: 1 })),
      [slide, other],
    ),
  ).toMatch(/rotated by −10°, mirrored, scaled 0.98×/);
});

it("says of several slides those that are not at the centre (PG90)", () => {
  const slides = [slide, other, { ...other, id: "c" }, { ...other, id: "d" }];
  const links = startLinks(slides);
  expect(linksLabel(links, slides)).toBe("Linked at centre");
  const moved = { ...links[2]!, registration: { ...links[2]!.registration, l0_dx: 400 } };
  expect(linksLabel(links.with(2, moved), slides)).toBe("Linked: C shifted by 100\u202fµm");
  expect(linksLabel(links.with(2, moved).with(3, moved), slides)).toMatch(/^Linked: C .*; D /);
});
