/** Where a field moves, and which field the motion points to: pure. */
import type { Address } from "../../geometry/pyramid";
import type { Rectangle } from "../../wire/slides/pushClient";

/** A field at a time (milliseconds); `rectangle` covers its tiles. */
export interface PlacedField {
  readonly z: number;
  readonly level: number;
  readonly rectangle: Rectangle;
  readonly at: number;
}

export type Velocity = readonly [x: number, y: number];

const STILL: Velocity = [0, 0];
/** What lies longer ago says nothing of the motion; milliseconds. */
const FORGOTTEN_MS = 10_000;
/** Steps that follow each other faster count as if they took this time; milliseconds. */
const LEAST_MS = 90;
/** How far ahead the motion is followed; seconds. */
const AHEAD_SECONDS = 4;

export function rectangleOf(tiles: readonly Address[]): Rectangle {
  const [left, up] = [Math.min(...tiles.map(({ x }) => x)), Math.min(...tiles.map(({ y }) => y))];
  const [right, down] = [Math.max(...tiles.map(({ x }) => x)), Math.max(...tiles.map(({ y }) => y))];
  return [left, up, right - left + 1, down - up + 1];
}

export function centreOf([x, y, columns, rows]: Rectangle): readonly [number, number] {
  return [x + columns / 2, y + rows / 2];
}

/** Tiles a second from one field to the next; none after a pause or a change of level or plane. */
export function velocityOf(before: PlacedField | null, now: PlacedField): Velocity {
  if (before?.level !== now.level || before.z !== now.z || now.at - before.at > FORGOTTEN_MS) return STILL;
  const seconds = Math.max(now.at - before.at, LEAST_MS) / 1000;
  const [from, to] = [centreOf(before.rectangle), centreOf(now.rectangle)];
  return [(to[0] - from[0]) / seconds, (to[1] - from[1]) / seconds];
}

/** The field that the motion points to, at most one field away and inside the level; null: it rests, or is at the border. */
export function fieldAhead(
  field: Rectangle,
  velocity: Velocity,
  level: { columns: number; rows: number },
): Rectangle | null {
  const [x, y, columns, rows] = field;
  const step = (speed: number, size: number): number =>
    Math.round(Math.max(-size, Math.min(size, speed * AHEAD_SECONDS)));
  const [left, up] = [x + step(velocity[0], columns), y + step(velocity[1], rows)];
  const [first_x, first_y] = [Math.max(0, left), Math.max(0, up)];
  const [end_x, end_y] = [Math.min(level.columns, left + columns), Math.min(level.rows, up + rows)];
  const moved = left !== x || up !== y;
  return moved && end_x > first_x && end_y > first_y ? [first_x, first_y, end_x - first_x, end_y - first_y] : null;
}
