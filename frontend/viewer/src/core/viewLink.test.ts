import { describe, expect, it } from "vitest";
import { type ViewLink, parseViewLink, viewLinkHash, turned } from "./viewLink";

const plain: ViewLink = { l0_x: 125, l0_y: 210, scale: 0.75, rotation: 0, flip: false, plane: 0, adjustments: null };

describe("a link's place", () => {
  it.each<[string, Partial<ViewLink>]>([
    ["#x=125&y=210&scale=0.75", {}],
    ["#x=125&y=210&scale=0.75&plane=2", { plane: 2 }],
    ["#x=125&y=210&scale=0.75&rotation=270&flip=1", { rotation: 270, flip: true }],
    ["#x=125&y=210&scale=0.00390625", { scale: 1 / 256 }],
    ["#x=125.5&y=210&scale=0.75&light=%7B%22gamma%22%3A1.2%7D", { l0_x: 125.5, adjustments: { gamma: 1.2 } }],
    [
      "#x=125&y=210&scale=0.75&light=%7B%22gamma%22%3A1.2%7D&channels=0:FF0000:-10-200:100,12:00FF80:0-65535:45",
      { adjustments: { gamma: 1.2, c0: [0xff0000, -10, 200, 100], c12: [0x00ff80, 0, 65535, 45] } },
    ],
    ["#x=125&y=210&scale=0.75&channels=3:FFFFFF:0-1:100", { adjustments: { c3: [0xffffff, 0, 1, 100] } }],
  ])("WI137 CM8: is written as %s and found again", (hash, change) => {
    const viewLink = { ...plain, ...change };
    expect(viewLinkHash(viewLink)).toBe(hash);
    expect(parseViewLink(hash)).toEqual(viewLink);
  });

  it.each([
    "",
    "#",
    "#x=1&y=2",
    "#x=&y=2&scale=1",
    "#x=1&y=2&scale=0",
    "#x=1&y=2&scale=-1",
    "#x=a&y=2&scale=1",
    "#x=1&y=2&scale=1e9",
  ])("is not in %j", (hash) => {
    expect(parseViewLink(hash)).toBeNull();
  });

  it("passes over what it does not know", () => {
    expect(parseViewLink("#v=9&x=125&y=210&scale=0.75&later=something&plane")).toEqual(plain);
  });

  it.each([
    "plane=-3",
    "plane=two",
    "rotation=x",
    "flip=yes",
    "light=%7B",
    "light=[1]",
    "light=3",
    `light=${"9".repeat(3000)}`,
    "channels=1",
    "channels=1:red:0-2:100",
    `channels=${"1:FFFFFF:0-1:100,".repeat(300)}`,
  ])("takes %s as not given", (part) => {
    expect(parseViewLink(`#x=125&y=210&scale=0.75&${part}`)).toEqual(plain);
  });
});

it("brings any turn into one round", () => {
  expect([0, 360, -90, 725, 359.5].map(turned)).toEqual([0, 0, 270, 5, 359.5]);
});
