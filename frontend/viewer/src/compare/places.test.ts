import { describe, expect, it } from "vitest";
import { affineOf, corrected, mapOf, placesOf } from "./places";
import { type Link, followed, mapPoint, registrationAt, reversed, startLink } from "./registration";

const SLIDE = { id: "a", width: 8000, height: 6000, planes: 1, mpp: { x: 0.5 }, planeSpacingUm: null };
const START = startLink(SLIDE, { ...SLIDE, id: "b" }).registration;

/** A turn by 40 degrees with waves of some hundred pixels. */
function field(mirrored = false) {
  const [columns, rows, spacing] = [11, 9, 1000];
  const shifts: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      shifts.push(150 * Math.sin(column * 1.1 + row), 120 * Math.cos(row * 0.9 - column));
  const [cos, sin] = [Math.cos(0.7), Math.sin(0.7)];
  const m = mirrored ? -1 : 1;
  return { affine: [m * 1.02 * cos, -sin, 3000, m * sin, 0.98 * cos, -500], columns, rows, spacing, shifts };
}

const POINTS = [
  { l0_x: 100, l0_y: 200 },
  { l0_x: 4000, l0_y: 3000 },
  { l0_x: 7900, l0_y: 5900 },
  { l0_x: 2345.5, l0_y: 4567.25 },
];

describe.each([false, true])("places of a field, mirrored %s", (mirrored) => {
  const found = field(mirrored);
  const base = affineOf(found, START)!;
  const places = placesOf(mapOf(found), base, 60);

  it("lead there and back to a tenth of a pixel (RE3)", () => {
    for (const point of POINTS) {
      const there = mapPoint(places.at(point), point);
      const back = mapPoint(places.reversed().at(there), there);
      expect(Math.hypot(back.l0_x - point.l0_x, back.l0_y - point.l0_y)).toBeLessThan(0.1);
    }
  });

  it("are around a point what the map is there (RE8)", () => {
    const map = mapOf(found);
    for (const point of POINTS) {
      const near = { l0_x: point.l0_x + 40, l0_y: point.l0_y - 30 };
      const [laid, wanted] = [mapPoint(places.at(point), near), map(near)];
      expect(Math.hypot(laid.l0_x - wanted.l0_x, laid.l0_y - wanted.l0_y)).toBeLessThan(1);
      expect(places.at(point).mirrored).toBe(mirrored);
    }
  });

  it("keep a view together with the one that follows it, whichever leads (RE8)", () => {
    const link: Link = { registration: base, zoom: 1, places };
    const view = { l0_x: 3000, l0_y: 2500, scale: 0.5, rotation: 30, flip: false, plane: 0, adjustments: null };
    const other = followed(link, view);
    const back = followed(reversed(link), other);
    expect(back.l0_x).toBeCloseTo(view.l0_x, 1);
    expect(back.l0_y).toBeCloseTo(view.l0_y, 1);
    expect(back.scale).toBeCloseTo(view.scale, 3);
    expect(back.rotation).toBeCloseTo(view.rotation, 1);
    expect(other.scale).toBeCloseTo(0.5 / registrationAt(link, view).scale, 9);
  });
});

describe("landmarks", () => {
  const map = mapOf(field());
  const pairs = POINTS.slice(0, 3).map((left, i) => {
    const { l0_x, l0_y } = map(left);
    return { left, right: { l0_x: l0_x + 30 * (i + 1), l0_y: l0_y - 20 } };
  });

  it("lie on each other after they have corrected a map (RE9)", () => {
    const better = corrected(map, pairs, 1000);
    for (const { left, right } of pairs) {
      expect(better(left).l0_x).toBeCloseTo(right.l0_x, 2);
      expect(better(left).l0_y).toBeCloseTo(right.l0_y, 2);
    }
  });

  it("change nothing far away (RE9)", () => {
    const far = { l0_x: 60_000, l0_y: 60_000 };
    expect(corrected(map, pairs, 1000)(far)).toEqual(map(far));
    expect(corrected(map, [], 1000)).toBe(map);
  });
});

it("an affine map that crushes a slide is none", () => {
  expect(affineOf({ affine: [1, 0, 0, 1, 0, 0] }, START)).toBeNull();
});
