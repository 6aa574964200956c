/**
 * Counting fields: circles of a known area, ordinary annotations of a class of their own (annotations.md, AN33). Pure. Positions in
 * level-0 pixels, lengths in micrometres.
 */
import type { Mpp } from "@wavescope/core/geometry/measure";
import { type Box, type Part, type Shape, boxOf, boxed } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";

export const FIELD_CLASS = "HPF";

/** What a microscope shows through an objective and an eyepiece whose field number is in millimetres; or a circle of an area in mm². */
export type FieldSize =
  | { readonly kind: "objective"; readonly magnification: number; readonly fieldNumber: number }
  | { readonly kind: "area"; readonly mm2: number };

export interface Spot {
  readonly x: number;
  readonly y: number;
}

const TOUCHING = 1 - 1e-9; // of a diameter: what rounding may take from the distance of two fields that touch
const DIRECTIONS = 6; // neighbours of a circle among equal ones

/** Field number by magnification: 22 mm at 40x is 0.55 mm. */
export function diameterUm(size: FieldSize): number {
  const mm = size.kind === "objective" ? size.fieldNumber / size.magnification : 2 * Math.sqrt(size.mm2 / Math.PI);
  return mm * 1000;
}

export function areaMm2(size: FieldSize): number {
  return size.kind === "area" ? size.mm2 : Math.PI * (diameterUm(size) / 2000) ** 2;
}

/** The circle about a spot; in pixels an ellipse where they are not square. */
export function fieldAt({ x, y }: Spot, size: FieldSize, mpp: Mpp): Shape {
  const radius = diameterUm(size) / 2;
  const [rx, ry] = [radius / mpp.x, radius / mpp.y];
  return boxed("ellipse", { minX: x - rx, minY: y - ry, maxX: x + rx, maxY: y + ry });
}

/** Middles of at most `most` fields along a path, the first at its beginning: as near to one another as they can be without overlap. */
export function fieldsAlong(path: Part, size: FieldSize, mpp: Mpp, most: number): Spot[] {
  const diameter = diameterUm(size);
  const placed: Spot[] = [];
  const um = (i: number): Spot => ({ x: path[i]! * mpp.x, y: path[i + 1]! * mpp.y });
  for (let i = 0; i + 3 < path.length && placed.length < most; i += 2) {
    const [from, to] = [um(i), um(i + 2)];
    for (let t = 0; placed.length < most; ) {
      const at = { x: from.x + t * (to.x - from.x), y: from.y + t * (to.y - from.y) };
      const near = placed.find((other) => overlap(other, at, diameter));
      if (!near) placed.push(at);
      else t = leaving(near, diameter, from, to);
      if (t > 1) break;
    }
  }
  return placed.map(({ x, y }) => ({ x: x / mpp.x, y: y / mpp.y }));
}

/** Where, as a part of the way from one point to another, a line leaves a circle that it is in; Infinity where the points are one. */
function leaving(middle: Spot, radius: number, from: Spot, to: Spot): number {
  const [dx, dy, fx, fy] = [to.x - from.x, to.y - from.y, from.x - middle.x, from.y - middle.y];
  const [a, b, c] = [dx * dx + dy * dy, dx * fx + dy * fy, fx * fx + fy * fy - radius * radius];
  return a === 0 ? Infinity : (-b + Math.sqrt(Math.max(0, b * b - a * c))) / a;
}

/** The middle of the field after the last one: straight on, or turning by as little as leads past the others. Null: none is there yet. */
export function nextField(placed: readonly Spot[], size: FieldSize, mpp: Mpp): Spot | null {
  const diameter = diameterUm(size);
  const um = placed.map(({ x, y }) => ({ x: x * mpp.x, y: y * mpp.y }));
  const [before, last] = [um.at(-2), um.at(-1)];
  if (!last) return null;
  const ahead = before ? Math.atan2(last.y - before.y, last.x - before.x) : 0;
  const turns = Array.from({ length: DIRECTIONS }, (_, i) => (i % 2 === 1 ? 1 : -1) * Math.ceil(i / 2));
  const spots = turns.map((turn) => {
    const direction = ahead + (turn * 2 * Math.PI) / DIRECTIONS;
    return { x: last.x + diameter * Math.cos(direction), y: last.y + diameter * Math.sin(direction) };
  });
  const free = spots.find((spot) => !um.some((other) => overlap(other, spot, diameter))) ?? spots[0]!;
  return { x: free.x / mpp.x, y: free.y / mpp.y };
}

/** Whether circles of a diameter about two spots overlap; all in micrometres. */
function overlap(a: Spot, b: Spot, diameter: number): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) < TOUCHING * diameter;
}

/** Whether two shapes' boxes, and where both are ellipses also those, have a part in common. */
export function mayOverlap(a: Shape, b: Shape): boolean {
  const [p, q] = [boxOf(a), boxOf(b)];
  if (p.minX >= q.maxX || q.minX >= p.maxX || p.minY >= q.maxY || q.minY >= p.maxY) return false;
  if (a.kind !== "ellipse" || b.kind !== "ellipse") return true;
  const across = ({ minX, maxX }: Box): number => (maxX - minX) / 2;
  const down = ({ minY, maxY }: Box): number => (maxY - minY) / 2;
  const [from, to] = [middleOf(a), middleOf(b)];
  // exact for fields of one size; for others as if both were of their mean size
  return Math.hypot((from.x - to.x) / (across(p) + across(q)), (from.y - to.y) / (down(p) + down(q))) < TOUCHING;
}

export function middleOf(shape: Pick<Shape, "parts">): Spot {
  const { minX, minY, maxX, maxY } = boxOf(shape);
  return { x: (minX + maxX) / 2, y: (minY + maxY) / 2 };
}

export const isField = ({ class: name, shape }: Content): boolean => name === FIELD_CLASS && shape.groups.length > 0;

/** The number at the end of a field's name; 0: it has none. */
export const numberOf = ({ name }: Pick<Content, "name">): number => Number(/\d+$/.exec(name)?.[0] ?? 0);

/** What a field is called, the same in every language: it is stored. */
export const fieldName = (number: number): string => `${FIELD_CLASS} ${number}`;
