import { describe, expect, it } from "vitest";
import { type ComparisonAddress, comparisonHash, parseIds, parseComparison } from "./address";

const viewLink = {
  l0_x: 125,
  l0_y: 210.5,
  scale: 0.75,
  rotation: 30,
  flip: true,
  plane: 2,
  adjustments: { gamma: 1.2 },
};
const plain: ComparisonAddress = {
  mode: "side",
  left: null,
  right: null,
  link: null,
  landmarks: [],
  automatic: false,
  divider: 0.5,
  blend: 1,
  swapped: false,
};
const link = {
  registration: {
    l0_dx: -12.25,
    l0_dy: 4000.125,
    scale: 0.501,
    rotation: 359.5,
    mirrored: true,
    stretch: 0,
    shear: 0,
    planeStep: 2,
    planeShift: -1,
  },
  zoom: 1,
};

describe("two slides in an address", () => {
  it.each<[string, Partial<ComparisonAddress>]>([
    ["nothing but the slides", {}],
    ["both places", { left: viewLink, right: { ...viewLink, l0_x: 7, flip: false, adjustments: null } }],
    ["the offset", { link }],
    ["an affine offset", { link: { ...link, registration: { ...link.registration, stretch: 0.0125, shear: -0.002 } } }],
    [
      "landmarks",
      {
        landmarks: [
          { left: { l0_x: 1, l0_y: 2.5 }, right: { l0_x: -3, l0_y: 4000 } },
          { left: { l0_x: 5, l0_y: 6 }, right: { l0_x: 7, l0_y: 8 } },
        ],
      },
    ],
    ["that they are not linked", { link: "off" }],
    ["that they are aligned automatically (RE10)", { link, automatic: true }],
    ["the swipe", { divider: 0.25, blend: 0.4, swapped: true }],
  ])("are written with %s and found again", (_name, change) => {
    const comparison = { ...plain, ...change };
    expect(parseComparison("?left=a&right=b", comparisonHash(comparison), 2)).toEqual(comparison);
  });

  it("take the mode from the query", () => {
    expect(parseComparison("?left=a&right=b&mode=swipe", "", 1).mode).toBe("swipe");
    expect(parseComparison("?left=a&right=b&mode=magic", "", 1).mode).toBe("side");
  });

  it.each([
    "#link=1,2,3",
    "#link=1,2,0,4,5,6,0",
    "#link=1,2,x,4,5,6,0",
    "#link=,2,1,4,5,6,0",
    "#divider=2",
    "#blend=-1",
    "#left.x=3",
    "#swapped=yes",
    "#what=ever",
    "#marks=1,2,3",
    "#marks=1,2,3,4;x,2,3,4",
  ])("take %s as not given", (hash) => {
    expect(parseComparison("", hash, 1)).toEqual(plain);
  });

  it("are both named", () => {
    expect(parseIds("?left=a%20b&right=c")).toEqual({ left: "a b", right: "c" });
    expect(parseIds("?left=a&right=")).toBeNull();
    expect(parseIds("?right=a")).toBeNull();
  });
});
