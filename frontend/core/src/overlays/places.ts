/** Places of shapes and symbols in a tile (overlays.md, OV13, OV15, OV80). */
import { CorruptError } from "../wire/http/errors";
import type { Columns } from "./columns";

/** Rows times their width, at most. */
const MAX_WAY = 2 ** 32;
const MAX_ROW_BITS = 28;

/** x, y of each (2n), from the tile's beginning; none of a coordinate of the slide above `most`. Throws CorruptError. */
export function readPlaces(
  columns: Columns,
  count: number,
  isNew: boolean,
  [originX, originY]: readonly [number, number],
  most: number,
): Int32Array<ArrayBuffer> {
  const next = isNew ? inRows(columns, count) : inSteps(columns, count);
  const places = new Int32Array(2 * count);
  for (let i = 0; i < count; i += 1) {
    const [x, y] = next(i);
    if (Math.abs(x + originX) > most || Math.abs(y + originY) > most)
      throw new CorruptError("a shape or symbol that is too far away");
    places[2 * i] = x;
    places[2 * i + 1] = y;
  }
  return places;
}

type Next = (i: number) => readonly [number, number];

/** Before version 5: steps from each to the next. */
function inSteps(columns: Columns, count: number): Next {
  const [stepsX, stepsY] = [columns.signed(count), columns.signed(count)];
  let [x, y] = [0, 0];
  return (i) => {
    x += stepsX[i]!;
    y += stepsY[i]!;
    return [x, y];
  };
}

function inRows(columns: Columns, count: number): Next {
  const [left, top, beyond, rowBits] = columns.signed(4) as unknown as readonly [number, number, number, number];
  if (beyond < 0 || rowBits < 0 || rowBits > MAX_ROW_BITS) throw new CorruptError("rows without a width or height");
  const [steps, below] = [columns.column(count), columns.column(count)];
  const [width, height] = [beyond + 1, 2 ** rowBits];
  let way = 0;
  return (i) => {
    way += steps[i]!;
    if (way >= MAX_WAY) throw new CorruptError("a place beyond all rows");
    const row = Math.floor(way / width);
    return [left + way - row * width, top + row * height + below[i]!];
  };
}
