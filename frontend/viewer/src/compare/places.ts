/**
 * How places of the left slide map to the right one where no single registration does: an affine map and a smooth field of shifts
 * (shared/spec/registration.md, RE3), corrected by landmarks. Around a point it is the registration that touches it there. Pure.
 */
import type * as Wire from "@wavescope/core/wire/generated/types";
import { type LandmarkPair, decompose } from "./landmarks";
import { type Places, type Point, type Registration, inverse, mapPoint, through } from "./registration";

type Field = Pick<Wire.RegistrationBody, "affine" | "columns" | "rows" | "spacing" | "shifts">;
export type Map = (left: Point) => Point;

/** Of the search for the place that maps to another. */
const MAX_STEPS = 30;
/** Level-0 pixels. */
const NEAR = 1e-3;
/** How far a landmark reaches, in spacings of the field's control points. */
const REACH = 3;

/** The map of a registration as the service found it. */
export function mapOf(field: Field): Map {
  const [a, b, c, d, e, f] = field.affine as [number, number, number, number, number, number];
  const { columns, rows, spacing, shifts } = field;
  return ({ l0_x, l0_y }) => {
    const [column, across] = basis(l0_x / spacing, columns);
    const [row, down] = basis(l0_y / spacing, rows);
    let [x, y] = [a * l0_x + b * l0_y + c, d * l0_x + e * l0_y + f];
    for (let j = 0; j < 4; j++)
      for (let i = 0; i < 4; i++) {
        const at = 2 * ((row + j) * columns + column + i);
        const weight = across[i]! * down[j]!;
        x += weight * shifts[at]!;
        y += weight * shifts[at + 1]!;
      }
    return { l0_x: x, l0_y: y };
  };
}

/** The affine part; null where it crushes a slide to a line. Planes as in `now`. */
export function affineOf({ affine }: Pick<Field, "affine">, now: Registration): Registration | null {
  const [a, b, c, d, e, f] = affine as [number, number, number, number, number, number];
  const linear = decompose(a, b, d, e);
  return linear && through({ ...now, ...linear }, { l0_x: 0, l0_y: 0 }, { l0_x: c, l0_y: f });
}

/** `base` is the registration where a field folds; `step`: over how many level-0 pixels a map counts as straight. */
export function placesOf(map: Map, base: Registration, step: number): Places {
  const at = (left: Point): Registration => touching(map, base, step, left);
  const places: Places = { at, reversed: () => back };
  const back: Places = { at: (right) => inverse(at(placeBack(at, base, right))), reversed: () => places };
  return places;
}

/** The map that lays every left landmark on its right one, and changes nothing far from all of them. */
export function corrected(map: Map, pairs: readonly LandmarkPair[], spacing: number): Map {
  if (pairs.length === 0) return map;
  const reach = REACH * spacing;
  const weight = (one: Point, other: Point): number =>
    Math.exp(-((one.l0_x - other.l0_x) ** 2 + (one.l0_y - other.l0_y) ** 2) / (2 * reach * reach));
  const rows = pairs.map((one, i) => pairs.map((other, j) => weight(one.left, other.left) + (i === j ? 1e-6 : 0)));
  const off = pairs.map(({ left, right }) => [right.l0_x - map(left).l0_x, right.l0_y - map(left).l0_y]);
  const heights = solved(rows, off);
  return (left) => {
    const { l0_x, l0_y } = map(left);
    let [x, y] = [l0_x, l0_y];
    pairs.forEach((pair, i) => {
      const near = weight(pair.left, left);
      x += near * heights[i]![0]!;
      y += near * heights[i]![1]!;
    });
    return { l0_x: x, l0_y: y };
  };
}

function touching(map: Map, base: Registration, step: number, left: Point): Registration {
  const [west, east] = [map({ ...left, l0_x: left.l0_x - step }), map({ ...left, l0_x: left.l0_x + step })];
  const [north, south] = [map({ ...left, l0_y: left.l0_y - step }), map({ ...left, l0_y: left.l0_y + step })];
  const linear = decompose(
    (east.l0_x - west.l0_x) / (2 * step),
    (south.l0_x - north.l0_x) / (2 * step),
    (east.l0_y - west.l0_y) / (2 * step),
    (south.l0_y - north.l0_y) / (2 * step),
  );
  const whole = linear && linear.mirrored === base.mirrored ? { ...base, ...linear } : base;
  return through(whole, left, map(left));
}

/** Newton's method from where the affine part says. */
function placeBack(at: (left: Point) => Registration, base: Registration, right: Point): Point {
  let left = mapPoint(inverse(base), right);
  for (let i = 0; i < MAX_STEPS; i++) {
    const next = mapPoint(inverse(at(left)), right);
    const moved = Math.hypot(next.l0_x - left.l0_x, next.l0_y - left.l0_y);
    left = next;
    if (moved < NEAR) break;
  }
  return left;
}

/** The first of four control points, and the weights of uniform cubic B-splines; outside as at the border. */
function basis(position: number, count: number): [number, readonly number[]] {
  const at = Math.min(Math.max(position, 0), count - 3);
  const first = Math.min(Math.floor(at), count - 4);
  const t = at - first;
  const u = 1 - t;
  return [
    first,
    [
      (u * u * u) / 6,
      (3 * t * t * t - 6 * t * t + 4) / 6,
      (-3 * t * t * t + 3 * t * t + 3 * t + 1) / 6,
      (t * t * t) / 6,
    ],
  ];
}

/** `matrix` x = `values`, by elimination with pivots. */
function solved(matrix: readonly (readonly number[])[], values: readonly (readonly number[])[]): number[][] {
  const rows = matrix.map((row, i) => [...row, ...values[i]!]);
  const count = rows.length;
  for (let i = 0; i < count; i++) {
    let pivot = i;
    for (let j = i + 1; j < count; j++) if (Math.abs(rows[j]![i]!) > Math.abs(rows[pivot]![i]!)) pivot = j;
    [rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!];
    for (let j = 0; j < count; j++) {
      if (j === i) continue;
      const factor = rows[j]![i]! / rows[i]![i]!;
      for (let k = i; k < rows[j]!.length; k++) rows[j]![k]! -= factor * rows[i]![k]!;
    }
  }
  return rows.map((row, i) => row.slice(count).map((value) => value / row[i]!));
}
