/** Reshaping: the handles of a shape, and what dragging one makes of it. Pure; coordinates in level-0 pixels. */
import { nearestOn } from "@wavescope/core/geometry/outline";
import { type Part, type Shape, boxOf, boxed, hundredths, isBoxed, isClosed } from "@wavescope/core/geometry/shape";

export interface Handle {
  readonly x: number;
  readonly y: number;
  /** Of boxes: which edges it moves, each -1, 0 or 1. Of others: which position of which part, or a new one after that. */
  readonly target:
    | { readonly across: number; readonly down: number }
    | { readonly part: number; readonly at: number }
    | { readonly part: number; readonly after: number };
}

/** Whether dragging it makes a new corner. */
export const isNewCorner = ({ target }: Handle): boolean => "after" in target;

/** More handles than this cannot be distinguished: the shape can then only be moved. */
const MAX_HANDLES = 1000;

export function handlesOf(shape: Shape): Handle[] {
  if (isBoxed(shape.kind)) {
    const { minX, minY, maxX, maxY } = boxOf(shape);
    const grid = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((across) => ({ across, down })));
    return grid
      .filter(({ across, down }) => across !== 0 || down !== 0)
      .map((target) => ({
        x: (minX + maxX + target.across * (maxX - minX)) / 2,
        y: (minY + maxY + target.down * (maxY - minY)) / 2,
        target,
      }));
  }
  const handles: Handle[] = [];
  for (const [part, coordinates] of shape.parts.entries()) {
    const end = isClosed(shape) ? coordinates.length - 2 : coordinates.length;
    for (let i = 0; i < end; i += 2)
      handles.push({ x: coordinates[i]!, y: coordinates[i + 1]!, target: { part, at: i / 2 } });
  }
  return handles.length > MAX_HANDLES ? [] : handles;
}

/** In the middle of each edge that is at least so long: a handle that makes a new corner. */
export function newCornersOf(shape: Shape, least: number): Handle[] {
  if (!mayHaveMoreCorners(shape)) return [];
  return shape.parts.flatMap((coordinates, part) => {
    const handles: Handle[] = [];
    for (let i = 0; i + 3 < coordinates.length; i += 2) {
      const [x0, y0, x1, y1] = coordinates.slice(i, i + 4) as [number, number, number, number];
      if (Math.hypot(x1 - x0, y1 - y0) >= least)
        handles.push({ x: (x0 + x1) / 2, y: (y0 + y1) / 2, target: { part, after: i / 2 } });
    }
    return handles;
  });
}

export function reshaped(shape: Shape, { target }: Handle, x: number, y: number): Shape {
  const [toX, toY] = [hundredths(x), hundredths(y)];
  if ("after" in target) return inserted(shape, target.part, target.after, toX, toY);
  if ("part" in target)
    return withPart(shape, target.part, (coordinates) => replaced(shape, coordinates, target.at, toX, toY));
  const { minX, minY, maxX, maxY } = boxOf(shape);
  const [left, right] = target.across < 0 ? [toX, maxX] : target.across > 0 ? [minX, toX] : [minX, maxX];
  const [top, bottom] = target.down < 0 ? [toY, maxY] : target.down > 0 ? [minY, toY] : [minY, maxY];
  if (left === right || top === bottom) return shape;
  const box = {
    minX: Math.min(left, right),
    minY: Math.min(top, bottom),
    maxX: Math.max(left, right),
    maxY: Math.max(top, bottom),
  };
  return boxed(shape.kind as "rectangle" | "ellipse", box);
}

/** A further corner on the nearest edge; null where a shape of this kind has no more. */
export function withCorner(shape: Shape, x: number, y: number): Shape | null {
  if (!mayHaveMoreCorners(shape)) return null;
  const found = shape.parts
    .map((coordinates, part) => ({ part, ...nearestOn(coordinates, x, y) }))
    .sort((a, b) => a.distance - b.distance)[0]!;
  return inserted(shape, found.part, found.after, hundredths(x), hundredths(y));
}

/** Without that corner; null if too few would be left. */
export function withoutCorner(shape: Shape, { target }: Handle): Shape | null {
  if (!("at" in target) || shape.kind === "arrow" || shape.kind === "angle" || shape.type === "Point") return null;
  const least = isClosed(shape) ? 10 : shape.type === "MultiPoint" ? 4 : 6;
  if (shape.parts[target.part]!.length < least) return null;
  return withPart(shape, target.part, (coordinates) => {
    const open = isClosed(shape) ? coordinates.slice(0, -2) : [...coordinates];
    open.splice(2 * target.at, 2);
    return isClosed(shape) ? [...open, open[0]!, open[1]!] : open;
  });
}

export const mayHaveMoreCorners = (shape: Shape): boolean =>
  !isBoxed(shape.kind) && (isClosed(shape) || shape.kind === "line");

function inserted(shape: Shape, part: number, after: number, x: number, y: number): Shape {
  const at = 2 * after + 2;
  return withPart(shape, part, (coordinates) => [...coordinates.slice(0, at), x, y, ...coordinates.slice(at)]);
}

function replaced(shape: Shape, coordinates: Part, at: number, x: number, y: number): Part {
  const next = [...coordinates];
  next[2 * at] = x;
  next[2 * at + 1] = y;
  if (isClosed(shape) && at === 0) {
    next[next.length - 2] = x;
    next[next.length - 1] = y;
  }
  return next;
}

function withPart(shape: Shape, part: number, change: (coordinates: Part) => Part): Shape {
  return { ...shape, parts: shape.parts.map((coordinates, i) => (i === part ? change(coordinates) : coordinates)) };
}
