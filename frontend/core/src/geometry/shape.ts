/** The shapes of annotations in level-0 pixels (annotations.md, AN3): pure values and what hands do with them. */

export const KINDS = [
  "point",
  "line",
  "arrow",
  "angle",
  "rectangle",
  "ellipse",
  "polygon",
  "freehand",
  "text",
] as const;
export type Kind = (typeof KINDS)[number];
export type GeometryType = "Point" | "MultiPoint" | "LineString" | "MultiLineString" | "Polygon" | "MultiPolygon";

/** x, y, x, y ... of one point list, line or ring; the first corner of a ring is also its last. */
export type Part = readonly number[];

export interface Shape {
  readonly kind: Kind;
  readonly type: GeometryType;
  readonly parts: readonly Part[];
  /** How many of the parts belong to each polygon; empty for points and lines. */
  readonly groups: readonly number[];
}

export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export function boxOf({ parts }: Pick<Shape, "parts">): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const part of parts) {
    for (let i = 0; i < part.length; i += 2) {
      if (part[i]! < minX) minX = part[i]!;
      if (part[i]! > maxX) maxX = part[i]!;
      if (part[i + 1]! < minY) minY = part[i + 1]!;
      if (part[i + 1]! > maxY) maxY = part[i + 1]!;
    }
  }
  return { minX, minY, maxX, maxY };
}

/** Whether the shape is its box: a rectangle, or the ellipse in it. */
export const isBoxed = (kind: Kind): boolean => kind === "rectangle" || kind === "ellipse";

export function boxed(kind: "rectangle" | "ellipse", box: Box): Shape {
  const { minX, minY, maxX, maxY } = box;
  return { kind, type: "Polygon", parts: [[minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY]], groups: [1] };
}

export function point(kind: "point" | "text", x: number, y: number): Shape {
  return { kind, type: "Point", parts: [[x, y]], groups: [] };
}

export function line(kind: "line" | "arrow" | "angle", positions: Part): Shape {
  return { kind, type: "LineString", parts: [positions], groups: [] };
}

/** Closes the ring. */
export function polygon(kind: "polygon" | "freehand", corners: Part): Shape {
  return { kind, type: "Polygon", parts: [[...corners, corners[0]!, corners[1]!]], groups: [1] };
}

export function moved(shape: Shape, dx: number, dy: number): Shape {
  return { ...shape, parts: shape.parts.map((part) => part.map((value, i) => value + (i % 2 === 0 ? dx : dy))) };
}

/** What hands put down: what can be seen at the closest view, and no more digits. */
export const hundredths = (value: number): number => Math.round(value * 100) / 100;

export const isClosed = (shape: Shape): boolean => shape.groups.length > 0;

/** The same numbers at the same positions. */
export function sameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true;
  return (
    a.kind === b.kind &&
    a.type === b.type &&
    sameNumbers(a.groups, b.groups) &&
    a.parts.length === b.parts.length &&
    a.parts.every((part, i) => sameNumbers(part, b.parts[i]!))
  );
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
