import { describe, expect, it } from "vitest";
import {
  type ComparisonAddress,
  comparisonHash,
  emptyAddress,
  parseComparison,
  parseIds,
  withOtherSlide,
  withPane,
  withoutPane,
} from "./address";

const viewLink = {
  l0_x: 125,
  l0_y: 210.5,
  scale: 0.75,
  rotation: 30,
  flip: true,
  plane: 2,
  adjustments: { gamma: 1.2 },
};
const plain = emptyAddress(2);
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

const at = (l0_x: number, l0_y = 0) => ({ l0_x, l0_y });

describe("several slides in an address", () => {
  it.each<[string, Partial<ComparisonAddress>]>([
    ["nothing but the slides", {}],
    ["both places", { views: [viewLink, { ...viewLink, l0_x: 7, flip: false, adjustments: null }] }],
    ["the offset", { links: [link] }],
    [
      "an affine offset",
      { links: [{ ...link, registration: { ...link.registration, stretch: 0.0125, shear: -0.002 } }] },
    ],
    [
      "landmarks, one of them open",
      {
        landmarks: [
          [at(1, 2.5), at(-3, 4000)],
          [at(5, 6), at(7, 8)],
          [null, at(0, 9)],
        ],
      },
    ],
    ["that they are not linked", { links: "off" }],
    ["that they are aligned automatically (RE10)", { links: [link], automatic: true }],
    ["the swipe", { divider: 0.25, blend: 0.4, swapped: true }],
  ])("are written with %s and found again", (_name, change) => {
    const comparison = { ...plain, ...change };
    expect(parseComparison("?slide=a&slide=b", comparisonHash(comparison), [2])).toEqual(comparison);
  });

  it("has up to four, each with its view, its link and its part of the landmarks (PG90)", () => {
    const comparison: ComparisonAddress = {
      ...emptyAddress(4),
      views: [viewLink, null, { ...viewLink, l0_x: 7 }, viewLink],
      links: [link, null, { ...link, zoom: 2 }],
      landmarks: [[at(1), null, at(2), null]],
      swiped: [1, 3],
    };
    const hash = comparisonHash(comparison);
    expect(hash).toMatch(/^#a\.x=.*&c\.x=7&.*&d\.x=.*&marks=1,0,,,2,0,,&swiped=bd$/);
    expect(parseComparison("", hash, [2, 2, 2])).toEqual(comparison);
    expect(parseIds("?slide=a&slide=b&slide=a&slide=c&slide=d")).toEqual(["a", "b", "a", "c"]);
  });

  it("take the mode from the query", () => {
    expect(parseComparison("?slide=a&slide=b&mode=swipe", "", [1]).mode).toBe("swipe");
    expect(parseComparison("?slide=a&slide=b&mode=magic", "", [1]).mode).toBe("side");
  });

  it.each([
    "#link=1,2,3",
    "#link=1,2,0,4,5,6,0",
    "#link=1,2,x,4,5,6,0",
    "#link=,2,1,4,5,6,0",
    "#divider=2",
    "#blend=-1",
    "#a.x=3",
    "#swapped=yes",
    "#what=ever",
    "#marks=1,2,3",
    "#marks=,,,",
    "#marks=1,2,3,4;x,2,3,4",
    "#swiped=ba",
    "#swiped=ac",
    "#swiped=a",
  ])("take %s as not given", (hash) => {
    expect(parseComparison("", hash, [1])).toEqual(plain);
  });

  it("are found in earlier addresses, which had a left and a right one", () => {
    expect(parseIds("?left=a%20b&right=c")).toEqual(["a b", "c"]);
    expect(parseIds("?left=a&right=")).toEqual(["a"]);
    expect(parseIds("?right=a")).toEqual(["a"]);
    const { views } = parseComparison("", "#left.x=1&left.y=2&left.scale=1&right.x=3&right.y=4&right.scale=1", [1]);
    expect(views).toMatchObject([at(1, 2), at(3, 4)]);
  });
});

describe("another choice of slides (PG91)", () => {
  const three: ComparisonAddress = {
    ...emptyAddress(3),
    views: [viewLink, { ...viewLink, l0_x: 1 }, { ...viewLink, l0_x: 2 }],
    links: [link, { ...link, zoom: 2 }],
    landmarks: [
      [at(1), at(2), null],
      [at(3), at(4), at(5)],
    ],
    swiped: [0, 2],
  };

  it("with one more leaves the others as they lie", () => {
    const four = withPane(three);
    expect([four.views.slice(0, 3), four.links.slice(0, 2)]).toEqual([three.views, three.links]);
    expect([four.views[3], four.links[2], four.landmarks[1]]).toEqual([null, null, [at(3), at(4), at(5), null]]);
  });

  it("with another one knows nothing of how that lies", () => {
    const changed = withOtherSlide(three, 1);
    expect(changed.views).toEqual([viewLink, null, three.views[2]]);
    expect(changed.links).toEqual([null, three.links[1]]);
    expect(changed.landmarks).toEqual([[at(3), null, at(5)]]);
    expect(withOtherSlide(three, 0).links).toEqual([null, null]);
    expect(withOtherSlide({ ...three, links: "off" }, 1).links).toBe("off");
  });

  it("with one less leaves the others as they lie, by their views where the first one goes", () => {
    const two = withoutPane(three, 1);
    expect([two.views, two.links, two.landmarks, two.swiped]).toEqual([
      [viewLink, three.views[2]],
      [three.links[1]],
      [[at(3), at(5)]],
      [0, 1],
    ]);
    expect(withoutPane(three, 0)).toMatchObject({ views: three.views.slice(1), links: [null] });
  });
});
