/** What shapes measure (annotations.md, AN13): the same sums as the service's. */
import { type Part, type Shape, boxOf } from "./shape";

export interface Mpp {
  readonly x: number;
  readonly y: number;
}

/** In micrometres where mpp is known, else in level-0 pixels; angle in degrees. What does not apply is null. */
export interface Measures {
  readonly length: number | null;
  readonly area: number | null;
  readonly angle: number | null;
}

const SQUARE: Mpp = { x: 1, y: 1 };
const NOTHING: Measures = { length: null, area: null, angle: null };

export function measure(shape: Shape, mpp: Mpp | null): Measures {
  const scale = mpp ?? SQUARE;
  switch (shape.kind) {
    case "point":
    case "text":
      return NOTHING;
    case "ellipse":
      return ellipseMeasures(shape, scale);
    case "angle":
      return { ...NOTHING, angle: angleOf(shape.parts[0]!, scale) };
    case "line":
    case "arrow":
      return { ...NOTHING, length: lengthOf(shape.parts, scale) };
    default:
      return { ...NOTHING, length: lengthOf(shape.parts, scale), area: areaOf(shape, scale) };
  }
}

function lengthOf(parts: readonly Part[], { x, y }: Mpp): number {
  let sum = 0;
  for (const part of parts) {
    for (let i = 2; i < part.length; i += 2)
      sum += Math.hypot((part[i]! - part[i - 2]!) * x, (part[i + 1]! - part[i - 1]!) * y);
  }
  return sum;
}

/** Outer rings less their holes. */
function areaOf(shape: Shape, { x, y }: Mpp): number {
  let sum = 0;
  let at = 0;
  for (const count of shape.groups) {
    for (let i = 0; i < count; i += 1) sum += (i === 0 ? 1 : -1) * ringArea(shape.parts[at + i]!);
    at += count;
  }
  return sum * x * y;
}

/** The shoelace formula, about the first corner so that large coordinates cost no digits. */
function ringArea(ring: Part): number {
  let twice = 0;
  const [x, y] = ring as [number, number];
  for (let i = 0; i + 3 < ring.length; i += 2)
    twice += (ring[i]! - x) * (ring[i + 3]! - y) - (ring[i + 2]! - x) * (ring[i + 1]! - y);
  return Math.abs(twice) / 2;
}

function angleOf(part: Part, { x, y }: Mpp): number {
  const [x0, y0, x1, y1, x2, y2] = part as [number, number, number, number, number, number];
  const [ax, ay, bx, by] = [(x0 - x1) * x, (y0 - y1) * y, (x2 - x1) * x, (y2 - y1) * y];
  return (Math.atan2(Math.abs(ax * by - ay * bx), ax * bx + ay * by) * 180) / Math.PI;
}

/** The perimeter by Ramanujan's second formula. */
function ellipseMeasures(shape: Shape, scale: Mpp): Measures {
  const { minX, minY, maxX, maxY } = boxOf(shape);
  const a = ((maxX - minX) * scale.x) / 2;
  const b = ((maxY - minY) * scale.y) / 2;
  if (a + b === 0) return { length: 0, area: 0, angle: null };
  const h = ((a - b) / (a + b)) ** 2;
  return {
    length: Math.PI * (a + b) * (1 + (3 * h) / (10 + Math.sqrt(4 - 3 * h))),
    area: Math.PI * a * b,
    angle: null,
  };
}
