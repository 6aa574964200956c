/** What lies at a point or in a region of the tiles that are drawn (overlays.md, OV50 to OV53). Level-0 pixels. Pure. */
import type { Box } from "../geometry/shape";
import type { Drawn } from "./plan";
import { placeOf } from "./plan";
import { type StyleTables, isShown } from "./style";
import { BINS, type Outlines, type OverlayTile, QUARTERS, type Symbols, TURNS, sideOf } from "./tile";

/** x, y of each corner. */
export type Ring = readonly number[];

export interface ShapeHit {
  readonly kind: "shape";
  readonly of: number;
  readonly score: number;
  /** In square pixels; of a symbol, that of its ellipse. */
  readonly area: number;
  readonly middle: readonly [number, number];
  /** Its outline; of a symbol none. */
  readonly rings: readonly Ring[];
}

/** A pixel of a raster. */
export interface RasterHit {
  readonly kind: "sample";
  readonly sample: number;
  /** The class of a label; null: it has none of its own. */
  readonly of: number | null;
  /** Of the raster: above 0 the value is a mean. */
  readonly level: number;
}

export type Hit =
  | ShapeHit
  | RasterHit
  | { readonly kind: "square"; readonly box: Box; readonly classes: readonly ClassSum[] };

export interface ClassSum {
  readonly of: number;
  readonly shapes: number;
  /** The sum of their scores. */
  readonly scores: number;
}

/** Reads a tile that is here. */
export type TileAt = (key: string) => OverlayTile | undefined;

/** The smallest shape at a point; where counts are drawn, their square. `reach`: how far a point or line may be missed. */
export function hitAt(
  drawn: readonly Drawn[],
  tileAt: TileAt,
  at: readonly [number, number],
  reach: number,
  tables: StyleTables,
): Hit | null {
  let found: Hit | null = null;
  for (const { key, part, window } of drawn) {
    const tile = tileAt(key);
    if (!tile || (window && !isIn(window, at))) continue;
    const hit =
      part === "counts"
        ? squareAt(tile, key, at, tables)
        : part === "symbols"
          ? symbolAt(tile.symbols!, key, at, tables)
          : outlineAt(tile.outlines, key, at, reach, tables);
    if (hit && (found?.kind !== "shape" || (hit.kind === "shape" && hit.area < found.area))) found = hit;
  }
  return found;
}

const isIn = ({ minX, minY, maxX, maxY }: Box, [x, y]: readonly [number, number]): boolean =>
  x >= minX && x < maxX && y >= minY && y < maxY;

const beginOf = (key: string): readonly [number, number] => {
  const { level, x, y } = placeOf(key);
  return [x * sideOf(level), y * sideOf(level)];
};

function squareAt(
  { counts }: OverlayTile,
  key: string,
  [x, y]: readonly [number, number],
  tables: StyleTables,
): Hit | null {
  const { level } = placeOf(key);
  const [left, top] = beginOf(key);
  const side = sideOf(level) / BINS;
  const [column, row] = [Math.floor((x - left) / side), Math.floor((y - top) / side)];
  if (column < 0 || row < 0 || column >= BINS || row >= BINS) return null;
  const at = row * BINS + column;
  const classes = (counts ?? [])
    .filter(({ of, shapes }) => tables.shown[of] && shapes[at]! > 0)
    .map(({ of, shapes, scores }) => ({ of, shapes: shapes[at]!, scores: scores[at]! }));
  const [minX, minY] = [left + column * side, top + row * side];
  return classes.length === 0
    ? null
    : { kind: "square", box: { minX, minY, maxX: minX + side, maxY: minY + side }, classes };
}

function symbolAt(symbols: Symbols, key: string, [x, y]: readonly [number, number], tables: StyleTables): Hit | null {
  const { middles, long, short, turns, classes, scores } = symbols;
  const [left, top] = beginOf(key);
  for (let i = classes.length - 1; i >= 0; i -= 1) {
    const [dx, dy] = [x - left - middles[2 * i]!, y - top - middles[2 * i + 1]!];
    const far = Math.max(1, long[i]! / 2);
    if (Math.abs(dx) > far || Math.abs(dy) > far || !isShown(tables, classes[i]!, scores[i]!)) continue;
    const angle = (turns[i]! * Math.PI) / TURNS;
    const along = (dx * Math.cos(angle) + dy * Math.sin(angle)) / (long[i]! / 2);
    const across = (dy * Math.cos(angle) - dx * Math.sin(angle)) / (short[i]! / 2);
    if (along * along + across * across > 1) continue;
    return symbolHit(symbols, key, i);
  }
  return null;
}

function symbolHit({ middles, long, short, classes, scores }: Symbols, key: string, i: number): ShapeHit {
  const [left, top] = beginOf(key);
  const area = (Math.PI * long[i]! * short[i]!) / 4;
  const middle = [left + middles[2 * i]!, top + middles[2 * i + 1]!] as const;
  return { kind: "shape", of: classes[i]!, score: scores[i]!, area, middle, rings: [] };
}

function outlineAt(
  outlines: Outlines,
  key: string,
  [x, y]: readonly [number, number],
  reach: number,
  tables: StyleTables,
): Hit | null {
  const [left, top] = beginOf(key);
  const [qx, qy, qr] = [(x - left) * QUARTERS, (y - top) * QUARTERS, reach * QUARTERS];
  const boxes = boxesOf(outlines);
  let [best, least] = [-1, Infinity];
  for (let i = 0; i < outlines.classes.length; i += 1) {
    if (
      qx < boxes[4 * i]! - qr ||
      qy < boxes[4 * i + 1]! - qr ||
      qx > boxes[4 * i + 2]! + qr ||
      qy > boxes[4 * i + 3]! + qr
    )
      continue;
    if (!isShown(tables, outlines.classes[i]!, outlines.scores[i]!) || !touches(outlines, i, qx, qy, qr)) continue;
    const area = areaOf(outlines, i);
    if (area <= least) [best, least] = [i, area];
  }
  return best < 0 ? null : outlineHit(outlines, key, best);
}

function outlineHit(outlines: Outlines, key: string, shape: number): ShapeHit {
  const [left, top] = beginOf(key);
  const [x, y] = middleOf(boxesOf(outlines), shape);
  return {
    kind: "shape",
    of: outlines.classes[shape]!,
    score: outlines.scores[shape]!,
    area: areaOf(outlines, shape) / QUARTERS ** 2,
    middle: [left + x, top + y],
    rings: ringsOf(outlines, shape).map(([from, to]) =>
      Array.from(
        outlines.corners.subarray(2 * from, 2 * to),
        (value, i) => value / QUARTERS + (i % 2 === 0 ? left : top),
      ),
    ),
  };
}

/** The middle of a shape's box (OV6), in pixels from the tile's beginning. */
function middleOf(boxes: Int32Array, shape: number): [number, number] {
  const of = (i: number): number => Math.floor((boxes[i]! + boxes[i + 2]!) / 2) / QUARTERS;
  return [of(4 * shape), of(4 * shape + 1)];
}

/** The shape in a box with the next higher score (`by` 1) or lower one (-1) than another, of those that are shown; without another the first of all. */
export function nextByScore(
  drawn: readonly Drawn[],
  tileAt: TileAt,
  box: Box,
  from: Pick<ShapeHit, "score" | "middle"> | null,
  by: 1 | -1,
  tables: StyleTables,
): ShapeHit | null {
  let best: { readonly order: Order; readonly hit: () => ShapeHit } | null = null;
  const start: Order | null = from && [from.score, from.middle[1], from.middle[0]];
  for (const { key, part } of drawn) {
    const tile = tileAt(key);
    if (!tile || part === "counts") continue;
    const [left, top] = beginOf(key);
    const { classes, scores } = part === "symbols" ? tile.symbols! : tile.outlines;
    const boxes = part === "symbols" ? null : boxesOf(tile.outlines);
    for (let i = 0; i < classes.length; i += 1) {
      if (!isShown(tables, classes[i]!, scores[i]!)) continue;
      const { middles } = tile.symbols ?? { middles: [] };
      const [x, y] = boxes ? middleOf(boxes, i) : [middles[2 * i]!, middles[2 * i + 1]!];
      if (!isIn(box, [left + x, top + y])) continue;
      const order: Order = [scores[i]!, top + y, left + x];
      if ((start && by * compared(order, start) <= 0) || (best && by * compared(order, best.order) >= 0)) continue;
      best = { order, hit: () => (boxes ? outlineHit(tile.outlines, key, i) : symbolHit(tile.symbols!, key, i)) };
    }
  }
  return best?.hit() ?? null;
}

/** By score, then from the top, then from the left. */
type Order = readonly [number, number, number];
const compared = (a: Order, b: Order): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** First and last corner of each ring of a shape. */
export function ringsOf({ shapeEnds, ringEnds }: Outlines, shape: number): (readonly [number, number])[] {
  const rings: (readonly [number, number])[] = [];
  for (let ring = shapeEnds[shape - 1] ?? 0; ring < shapeEnds[shape]!; ring += 1)
    rings.push([ringEnds[ring - 1] ?? 0, ringEnds[ring]!]);
  return rings;
}

/** Whether a point lies in an odd number of rings, or near a point or line. */
function touches(outlines: Outlines, shape: number, x: number, y: number, reach: number): boolean {
  const { corners } = outlines;
  let inside = false;
  for (const [from, to] of ringsOf(outlines, shape)) {
    if (to - from < 3) {
      if (distanceTo(corners, from, to - 1, x, y) <= reach) return true;
      continue;
    }
    if (isInRing(corners, from, to, x, y)) inside = !inside;
  }
  return inside;
}

function isInRing(corners: ArrayLike<number>, from: number, to: number, x: number, y: number): boolean {
  let inside = false;
  for (let i = from, j = to - 1; i < to; j = i, i += 1) {
    const [yi, yj] = [corners[2 * i + 1]!, corners[2 * j + 1]!];
    if (yi > y === yj > y) continue;
    const [xi, xj] = [corners[2 * i]!, corners[2 * j]!];
    if (x < xi + ((xj - xi) * (y - yi)) / (yj - yi)) inside = !inside;
  }
  return inside;
}

/** From a point to the line between two corners. */
function distanceTo(corners: ArrayLike<number>, a: number, b: number, x: number, y: number): number {
  const [ax, ay, bx, by] = [corners[2 * a]!, corners[2 * a + 1]!, corners[2 * b]!, corners[2 * b + 1]!];
  const long = (bx - ax) ** 2 + (by - ay) ** 2;
  const part = long === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long));
  return Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
}

/** In squares of a quarter of a pixel: each ring inside of an odd number of others is a hole. */
function areaOf(outlines: Outlines, shape: number): number {
  const rings = ringsOf(outlines, shape);
  const { corners } = outlines;
  return rings.reduce((sum, [from, to], own) => {
    const [x, y] = [corners[2 * from]!, corners[2 * from + 1]!];
    let isHole = false;
    rings.forEach(([first, end], other) => {
      if (other !== own && isInRing(corners, first, end, x, y)) isHole = !isHole;
    });
    const area = Math.abs(ringArea(corners, from, to));
    return sum + (isHole ? -area : area);
  }, 0);
}

function ringArea(corners: ArrayLike<number>, from: number, to: number): number {
  const [x, y] = [corners[2 * from]!, corners[2 * from + 1]!];
  let doubled = 0;
  for (let i = from, j = to - 1; i < to; j = i, i += 1)
    doubled += (corners[2 * j]! - x) * (corners[2 * i + 1]! - y) - (corners[2 * i]! - x) * (corners[2 * j + 1]! - y);
  return doubled / 2;
}

const boxes = new WeakMap<Outlines, Int32Array>();

/** minX, minY, maxX, maxY of each shape (4n), in quarters of a pixel. */
export function boxesOf(outlines: Outlines): Int32Array {
  const known = boxes.get(outlines);
  if (known) return known;
  const { corners, ringEnds, shapeEnds } = outlines;
  const made = new Int32Array(4 * shapeEnds.length);
  let corner = 0;
  for (let shape = 0; shape < shapeEnds.length; shape += 1) {
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const end = ringEnds[shapeEnds[shape]! - 1]!; corner < end; corner += 1) {
      const [x, y] = [corners[2 * corner]!, corners[2 * corner + 1]!];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    made.set([minX, minY, maxX, maxY], 4 * shape);
  }
  boxes.set(outlines, made);
  return made;
}

/** What is in a region, by class. */
export interface RegionSums {
  readonly classes: readonly ClassSum[];
  /** Square pixels: of the region; where counts are drawn, of their squares. */
  readonly area: number;
  /** Whether shapes are counted one by one, by their middles; else whole squares, by theirs. */
  readonly exact: boolean;
}

/** Counts the shapes that are shown whose middle lies in a ring; of counts whole squares. */
export function sumsIn(drawn: readonly Drawn[], tileAt: TileAt, ring: Ring, tables: StyleTables): RegionSums {
  const shapes = new Float64Array(256);
  const scores = new Float64Array(256);
  const corners = ring.length / 2;
  const isInside = (x: number, y: number): boolean => isInRing(ring, 0, corners, x, y);
  const add = (of: number, count: number, score: number): void => {
    shapes[of] = shapes[of]! + count;
    scores[of] = scores[of]! + score;
  };
  const byCounts = drawn.some(({ part }) => part === "counts");
  let squares = 0;
  for (const { key, part, window } of drawn) {
    const tile = tileAt(key);
    if (!tile) continue;
    if (part === "counts") squares += addSquares(tile, key, window, isInside, tables, add);
    else if (part === "symbols" || !byCounts) addMiddles(tile, part, key, isInside, tables, add);
  }
  const classes = [...shapes.keys()]
    .filter((of) => shapes[of]! > 0)
    .map((of) => ({ of, shapes: shapes[of]!, scores: scores[of]! }));
  return { classes, area: byCounts ? squares : Math.abs(ringArea(ring, 0, corners)), exact: !byCounts };
}

type Add = (of: number, count: number, score: number) => void;

function addMiddles(
  { outlines, symbols }: OverlayTile,
  part: Drawn["part"],
  key: string,
  isInside: (x: number, y: number) => boolean,
  tables: StyleTables,
  add: Add,
): void {
  const [left, top] = beginOf(key);
  const each = (of: number, score: number, x: number, y: number): void => {
    if (isShown(tables, of, score) && isInside(left + x, top + y)) add(of, 1, score);
  };
  if (part === "symbols") {
    const { classes, scores, middles } = symbols!;
    for (let i = 0; i < classes.length; i += 1) each(classes[i]!, scores[i]!, middles[2 * i]!, middles[2 * i + 1]!);
    return;
  }
  const { classes, scores } = outlines;
  const boxes = boxesOf(outlines);
  for (let i = 0; i < classes.length; i += 1) each(classes[i]!, scores[i]!, ...middleOf(boxes, i));
}

/** Adds the squares whose middle is inside; their area. */
function addSquares(
  { counts }: OverlayTile,
  key: string,
  window: Box | null,
  isInside: (x: number, y: number) => boolean,
  { shown }: StyleTables,
  add: Add,
): number {
  const [left, top] = beginOf(key);
  const side = sideOf(placeOf(key).level) / BINS;
  let area = 0;
  for (let at = 0; at < BINS * BINS; at += 1) {
    const [x, y] = [left + ((at % BINS) + 0.5) * side, top + (Math.floor(at / BINS) + 0.5) * side];
    if ((window && !isIn(window, [x, y])) || !isInside(x, y)) continue;
    area += side * side;
    for (const { of, shapes, scores } of counts ?? []) if (shown[of]) add(of, shapes[at]!, scores[at]!);
  }
  return area;
}

/** How many shapes that are drawn have each score (256), whether shown or not; null where only counts are drawn. */
export function histogramOf(drawn: readonly Drawn[], tileAt: TileAt, shown: StyleTables["shown"]): Uint32Array | null {
  const single = drawn.filter(({ part }) => part !== "counts");
  const bins = new Uint32Array(256);
  let any = false;
  for (const { key, part } of single) {
    const tile = tileAt(key);
    const { classes, scores } = (part === "symbols" ? tile?.symbols : tile?.outlines) ?? NOTHING;
    for (let i = 0; i < classes.length; i += 1) {
      any = true;
      if (shown[classes[i]!]) bins[scores[i]!] = bins[scores[i]!]! + 1;
    }
  }
  return any ? bins : null;
}

const NOTHING = { classes: new Uint8Array(), scores: new Uint8Array() };
