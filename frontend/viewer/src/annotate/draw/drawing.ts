/**
 * Drawing a new shape, by pointer or by keys: a pure machine (draft, event) -> (draft, shape). Coordinates are level-0 pixels; `reach` is
 * how many of them a pointer may miss.
 */
import { simplified } from "@wavescope/core/geometry/outline";
import { type Kind, type Shape, boxed, hundredths, line, point, polygon } from "@wavescope/core/geometry/shape";

/** An unfinished shape: its coordinates so far, and the position of the pointer. */
export interface Draft {
  readonly kind: Kind;
  readonly coordinates: readonly number[];
  readonly at: readonly [number, number];
  /** What a brush has painted so far; the coordinates are where it began. */
  readonly area?: Shape;
  /** Begun by keys: Enter puts further corners down, where it otherwise closes the shape. */
  readonly byKeys?: boolean;
}

export type DrawEvent =
  | {
      readonly type: "press" | "drag" | "release" | "click" | "hover";
      readonly x: number;
      readonly y: number;
      readonly reach: number;
      readonly square?: boolean;
    }
  /** Enter: finishes what a pointer has begun; else does what a click would do, or for dragged shapes one end after the other. */
  | { readonly type: "place"; readonly x: number; readonly y: number; readonly reach: number }
  | { readonly type: "finish"; readonly reach: number }
  | { readonly type: "back" | "cancel" };

export interface Drawn {
  readonly draft: Draft | null;
  /** A shape that is done. */
  readonly shape: Shape | null;
}

const NEAREST = 0.5; // of reach: freehand points nearer than this to the last are left out
const SMOOTH = 0.15; // of reach: what a freehand line may lose

/** Kinds drawn in one drag; the others are clicked together. */
export const isDragged = (kind: Kind): boolean =>
  kind === "rectangle" || kind === "ellipse" || kind === "line" || kind === "arrow" || kind === "freehand";

export function draw(kind: Kind, draft: Draft | null, event: DrawEvent): Drawn {
  switch (event.type) {
    case "cancel":
      return { draft: null, shape: null };
    case "back":
      return {
        draft: draft && draft.coordinates.length > 2 ? { ...draft, coordinates: draft.coordinates.slice(0, -2) } : null,
        shape: null,
      };
    case "finish":
      return draft ? done(draft, draft.coordinates, event.reach) : { draft: null, shape: null };
    case "place":
      return addPoint(kind, draft, event.x, event.y, event.reach);
    case "hover":
      return { draft: draft && { ...draft, at: [event.x, event.y] }, shape: null };
    case "click":
      return isDragged(kind) ? { draft: null, shape: null } : clicked(kind, draft, event.x, event.y, event.reach);
    default:
      return isDragged(kind) ? dragged(kind, draft, event) : { draft, shape: null };
  }
}

function dragged(kind: Kind, draft: Draft | null, event: Extract<DrawEvent, { x: number }>): Drawn {
  const { x, y, reach } = event;
  if (event.type === "press") return { draft: newDraft(kind, x, y), shape: null };
  if (!draft) return { draft, shape: null };
  const at = "square" in event && event.square ? squared(draft, x, y) : ([x, y] as const);
  if (kind !== "freehand") {
    if (event.type === "drag") return { draft: { ...draft, at }, shape: null };
    return done({ ...draft, at }, [...draft.coordinates, ...at], reach);
  }
  const [lastX, lastY] = draft.coordinates.slice(-2) as [number, number];
  const near = Math.hypot(x - lastX, y - lastY) < NEAREST * reach;
  const coordinates = near ? draft.coordinates : [...draft.coordinates, x, y];
  return event.type === "drag"
    ? { draft: { ...draft, coordinates, at }, shape: null }
    : done(draft, coordinates, reach);
}

function clicked(kind: Kind, draft: Draft | null, x: number, y: number, reach: number, byKeys = false): Drawn {
  if (kind === "point" || kind === "text") return { draft: null, shape: point(kind, x, y) };
  if (!draft) return { draft: newDraft(kind, x, y, byKeys), shape: null };
  const closing =
    kind === "polygon" &&
    draft.coordinates.length >= 6 &&
    Math.hypot(x - draft.coordinates[0]!, y - draft.coordinates[1]!) <= reach;
  if (closing) return done(draft, draft.coordinates, reach);
  const [lastX, lastY] = draft.coordinates.slice(-2) as [number, number];
  if (Math.hypot(x - lastX, y - lastY) < NEAREST * reach) return { draft, shape: null }; // the second half of a double click
  const coordinates = [...draft.coordinates, x, y];
  return kind === "angle" && coordinates.length === 6
    ? done(draft, coordinates, reach)
    : { draft: { ...draft, coordinates, at: [x, y] }, shape: null };
}

function addPoint(kind: Kind, draft: Draft | null, x: number, y: number, reach: number): Drawn {
  if (draft && !draft.byKeys) return done(draft, draft.coordinates, reach);
  if (!isDragged(kind)) return clicked(kind, draft, x, y, reach, true);
  if (!draft) return { draft: newDraft(kind, x, y, true), shape: null };
  if (kind === "freehand")
    return { draft: { ...draft, coordinates: [...draft.coordinates, x, y], at: [x, y] }, shape: null };
  return done(draft, [...draft.coordinates, x, y], reach);
}

function newDraft(kind: Kind, x: number, y: number, byKeys = false): Draft {
  return { kind, coordinates: [x, y], at: [x, y], ...(byKeys && { byKeys }) };
}

/** The other corner of a square, or of the square round a circle. */
function squared(draft: Draft, x: number, y: number): readonly [number, number] {
  if (draft.kind !== "rectangle" && draft.kind !== "ellipse") return [x, y];
  const [x0, y0] = draft.coordinates as [number, number];
  const side = Math.max(Math.abs(x - x0), Math.abs(y - y0));
  return [x0 + Math.sign(x - x0 || 1) * side, y0 + Math.sign(y - y0 || 1) * side];
}

/** The shape, if it is more than a slip of the hand. */
function done(draft: Draft, coordinates: readonly number[], reach: number): Drawn {
  const shape = shapeOf(draft.kind, coordinates.map(hundredths), reach);
  return { draft: shape || isDragged(draft.kind) ? null : draft, shape };
}

function shapeOf(kind: Kind, coordinates: readonly number[], reach: number): Shape | null {
  const [x0, y0] = coordinates as [number, number];
  const [x1, y1] = coordinates.slice(-2) as [number, number];
  if (kind === "rectangle" || kind === "ellipse") {
    if (Math.abs(x1 - x0) < NEAREST * reach || Math.abs(y1 - y0) < NEAREST * reach) return null;
    return boxed(kind, {
      minX: Math.min(x0, x1),
      minY: Math.min(y0, y1),
      maxX: Math.max(x0, x1),
      maxY: Math.max(y0, y1),
    });
  }
  if (kind === "line" || kind === "arrow")
    return Math.hypot(x1 - x0, y1 - y0) < NEAREST * reach ? null : line(kind, [x0, y0, x1, y1]);
  if (kind === "angle") return coordinates.length === 6 ? line(kind, coordinates) : null;
  if (kind !== "polygon" && kind !== "freehand") return null;
  const corners = kind === "freehand" ? simplified(coordinates, SMOOTH * reach) : coordinates;
  return corners.length >= 6 ? polygon(kind, corners) : null;
}
