import { describe, expect, it } from "vitest";
import type { ViewLink } from "../core/viewLink";
import {
  type Extent,
  followed,
  inverse,
  linkBetween,
  mapPoint,
  reversed,
  similarityAt,
  startLink,
} from "./registration";

const scanned: Extent = { id: "a", width: 4000, height: 3000, planes: 7, mpp: { x: 0.25 }, planeSpacingUm: 1 };
const coarser: Extent = { id: "b", width: 1000, height: 800, planes: 3, mpp: { x: 0.5 }, planeSpacingUm: 2 };
const unknown: Extent = { ...coarser, id: "c", mpp: null, planeSpacingUm: null };
const viewLink = (change: Partial<ViewLink> = {}): ViewLink => {
  return { l0_x: 900, l0_y: 700, scale: 0.5, rotation: 0, flip: false, plane: 3, adjustments: null, ...change };
};

/** Where a level-0 point is on the screen, from its centre. */
function onScreen({ l0_x, l0_y, scale, rotation, flip }: ViewLink, x: number, y: number): [number, number] {
  const radians = (rotation * Math.PI) / 180;
  const [dx, dy] = [(x - l0_x) * scale, (y - l0_y) * scale];
  const across = Math.cos(radians) * dx - Math.sin(radians) * dy;
  return [flip ? -across : across, Math.sin(radians) * dx + Math.cos(radians) * dy];
}

const viewLinks: readonly [string, ViewLink, ViewLink][] = [
  ["moved", viewLink(), viewLink({ l0_x: 411, l0_y: 333, plane: 1 })],
  ["turned", viewLink({ rotation: 20 }), viewLink({ l0_x: 411, rotation: 350, scale: 1 })],
  ["flipped on the right", viewLink({ rotation: 20 }), viewLink({ l0_x: 411, rotation: 77.5, flip: true, scale: 2 })],
  ["flipped on the left", viewLink({ rotation: 20, flip: true }), viewLink({ l0_x: 411, rotation: 77.5, scale: 2 })],
  ["flipped both", viewLink({ rotation: 130, flip: true }), viewLink({ l0_x: 411, rotation: 77.5, flip: true })],
];

describe.each(viewLinks)("two slides, %s against each other", (_name, left, right) => {
  const link = linkBetween(scanned, coarser, left, right);

  it("stay as they were when they were linked", () => {
    expect(close(followed(link, left), right)).toBe(true);
    expect(close(followed(reversed(link), right), left)).toBe(true);
  });

  it("show the same tissue at the same spot wherever the one is moved, turned and flipped to", () => {
    for (const moved of [
      viewLink({ l0_x: 1500, scale: 3, rotation: 300 }),
      viewLink({ l0_y: 12, flip: true, rotation: 45.5 }),
    ]) {
      const other = followed(link, moved);
      for (const [x, y] of [
        [0, 0],
        [2000, 100],
        [31, 2999],
      ]) {
        const { l0_x, l0_y } = mapPoint(link.registration, { l0_x: x!, l0_y: y! });
        const [here, there] = [onScreen(moved, x!, y!), onScreen(other, l0_x, l0_y)];
        expect(there[0]).toBeCloseTo(here[0] * link.zoom, 6);
        expect(there[1]).toBeCloseTo(here[1] * link.zoom, 6);
      }
      expect(close(followed(reversed(link), other), moved)).toBe(true);
    }
  });
});

describe("a link", () => {
  it("goes by lengths where the pixels' size is known: twice the pixels where they are half as large", () => {
    const link = linkBetween(scanned, coarser, viewLink(), viewLink({ l0_x: 400, l0_y: 300, scale: 1, plane: 1 }));
    expect(link.registration.scale).toBe(0.5);
    expect(link.zoom).toBe(1);
    const other = followed(link, viewLink({ l0_x: 1000, scale: 0.25, plane: 5 }));
    expect(other).toMatchObject({ l0_x: 450, l0_y: 300, scale: 0.5, plane: 2 });
  });

  it("keeps a difference of magnification", () => {
    const link = linkBetween(scanned, scanned, viewLink(), viewLink({ scale: 2 }));
    expect(link.zoom).toBe(4);
    expect(followed(link, viewLink({ scale: 0.1 })).scale).toBeCloseTo(0.4);
  });

  it("takes what is of equal size on the screen for equal where the pixels' size is not known", () => {
    const link = linkBetween(scanned, unknown, viewLink(), viewLink({ scale: 2 }));
    expect(link).toMatchObject({ zoom: 1, registration: { scale: 0.25, planeStep: 1 } });
  });

  it("starts with the centres and the middle planes aligned", () => {
    const link = startLink(scanned, coarser);
    const other = followed(link, viewLink({ l0_x: 2000, l0_y: 1500, rotation: 30, scale: 0.1 }));
    expect(other).toMatchObject({ l0_x: 500, l0_y: 400, rotation: 30, scale: 0.2, plane: 1 });
  });
});

it("is nearly a similarity at a point, and there the same", () => {
  const drawn = {
    scale: 1.7,
    rotation: 33,
    mirrored: true,
    stretch: 0.1,
    shear: -0.05,
    l0_dx: 12,
    l0_dy: -400,
    planeStep: 1,
    planeShift: 0,
  };
  const spot = { l0_x: 8000, l0_y: 5000 };
  const even = similarityAt(drawn, spot);
  expect(even).toMatchObject({ stretch: 0, shear: 0, scale: 1.7, rotation: 33 });
  expect(mapPoint(even, spot).l0_x).toBeCloseTo(mapPoint(drawn, spot).l0_x, 6);
  expect(mapPoint(even, spot).l0_y).toBeCloseTo(mapPoint(drawn, spot).l0_y, 6);
});

it("has a way back", () => {
  for (const mirrored of [false, true]) {
    const there = {
      scale: 1.7,
      rotation: 33,
      mirrored,
      stretch: 0.1,
      shear: -0.05,
      l0_dx: 12,
      l0_dy: -400,
      planeStep: 2,
      planeShift: -3,
    };
    const back = mapPoint(inverse(there), mapPoint(there, { l0_x: 123, l0_y: 456 }));
    expect([back.l0_x, back.l0_y].map((value) => Number(value.toFixed(6)))).toEqual([123, 456]);
    expect(inverse(inverse(there))).toMatchObject({ planeStep: 2, planeShift: -3, mirrored });
  }
});

function close(one: ViewLink, other: ViewLink): boolean {
  const turn = Math.abs(((one.rotation - other.rotation + 540) % 360) - 180);
  const numbers = [
    one.l0_x - other.l0_x,
    one.l0_y - other.l0_y,
    Math.log(one.scale / other.scale),
    one.plane - other.plane,
    turn,
  ];
  return one.flip === other.flip && numbers.every((difference) => Math.abs(difference) < 1e-6);
}
