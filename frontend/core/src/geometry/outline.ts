/** Shapes as lines to draw and to hit. */
import { type Box, type Part, type Shape, boxOf, isClosed } from "./shape";

const ELLIPSE_CORNERS = 64;
const HEAD = 0.18; // of an arrow's length
const HEAD_ANGLE = Math.PI / 7;

/** The lines of a shape; rings come closed. Points and texts have none. */
export function outlinesOf(shape: Shape): readonly Part[] {
  switch (shape.kind) {
    case "point":
    case "text":
      return [];
    case "ellipse":
      return [ellipse(boxOf(shape))];
    case "arrow":
      return [shape.parts[0]!, arrowHead(shape.parts[0]!)];
    default:
      return shape.parts;
  }
}

export function ellipse({ minX, minY, maxX, maxY }: Box): Part {
  const corners: number[] = [];
  for (let i = 0; i <= ELLIPSE_CORNERS; i += 1) {
    const turn = ((i % ELLIPSE_CORNERS) / ELLIPSE_CORNERS) * 2 * Math.PI;
    corners.push(
      (minX + maxX + (maxX - minX) * Math.cos(turn)) / 2,
      (minY + maxY + (maxY - minY) * Math.sin(turn)) / 2,
    );
  }
  return corners;
}

/** Barb, tip, barb. */
function arrowHead(shaft: Part): Part {
  const [x0, y0, x1, y1] = shaft as [number, number, number, number];
  const length = Math.hypot(x1 - x0, y1 - y0) * HEAD;
  const back = Math.atan2(y0 - y1, x0 - x1);
  const barb = (turn: number): number[] => [x1 + length * Math.cos(back + turn), y1 + length * Math.sin(back + turn)];
  return [...barb(HEAD_ANGLE), x1, y1, ...barb(-HEAD_ANGLE)];
}

/** How far a point is from the drawn lines or points of a shape, in level-0 pixels. */
export function distanceTo(shape: Shape, x: number, y: number): number {
  if (shape.kind === "point" || shape.kind === "text") {
    let least = Infinity;
    for (const part of shape.parts)
      for (let i = 0; i < part.length; i += 2) least = Math.min(least, Math.hypot(part[i]! - x, part[i + 1]! - y));
    return least;
  }
  return Math.min(...outlinesOf(shape).map((part) => nearestOn(part, x, y).distance));
}

/** The nearest point on a line: how far it is, and after which of its positions. */
export function nearestOn(part: Part, x: number, y: number): { distance: number; after: number } {
  let distance = Infinity;
  let after = 0;
  for (let i = 0; i + 3 < part.length; i += 2) {
    const [dx, dy] = [part[i + 2]! - part[i]!, part[i + 3]! - part[i + 1]!];
    const along = dx === 0 && dy === 0 ? 0 : ((x - part[i]!) * dx + (y - part[i + 1]!) * dy) / (dx * dx + dy * dy);
    const t = Math.min(1, Math.max(0, along));
    const found = Math.hypot(part[i]! + t * dx - x, part[i + 1]! + t * dy - y);
    if (found < distance) [distance, after] = [found, i / 2];
  }
  return { distance, after };
}

/** Even-odd rule over all rings: holes are outside. Of its edges a shape has those to the left and above, so that boxes side by side share no point. */
export function isInside(shape: Shape, x: number, y: number): boolean {
  if (!isClosed(shape)) return false;
  if (shape.kind === "ellipse") return isInEllipse(boxOf(shape), x, y);
  let odd = false;
  for (const ring of shape.parts) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x0, y0, x1, y1] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
      if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) odd = !odd;
    }
  }
  return odd;
}

function isInEllipse({ minX, minY, maxX, maxY }: Box, x: number, y: number): boolean {
  return Math.hypot((2 * x - minX - maxX) / (maxX - minX), (2 * y - minY - maxY) / (maxY - minY)) < 1;
}

/** Fewer positions within `tolerance` of the line (Ramer, Douglas and Peucker); both ends stay. */
export function simplified(part: Part, tolerance: number): number[] {
  const count = part.length / 2;
  const retained = new Uint8Array(count);
  retained[0] = retained[count - 1] = 1;
  const spans: [number, number][] = [[0, count - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span;
    const chord = [part[2 * first]!, part[2 * first + 1]!, part[2 * last]!, part[2 * last + 1]!];
    let [farthest, at] = [tolerance, -1];
    for (let i = first + 1; i < last; i += 1) {
      const { distance } = nearestOn(chord, part[2 * i]!, part[2 * i + 1]!);
      if (distance > farthest) [farthest, at] = [distance, i];
    }
    if (at < 0) continue;
    retained[at] = 1;
    spans.push([first, at], [at, last]);
  }
  return part.filter((_, i) => retained[i >> 1] === 1);
}
