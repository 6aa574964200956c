/** Which tiles of an overlay a view needs, and what is drawn of each (overlays.md, OV10, OV40 to OV44). Pure. */
import type { Box } from "../geometry/shape";
import { BINS, COUNTS_FROM, type ClassCounts, SYMBOLS_LEVEL, type TilePlace, sideOf } from "./tile";

/** What the plan depends on, of an overlay. */
export interface Pyramid {
  /** Of the slide's level 0. */
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly shapes: number;
  /** How many shapes belong to each level; null: not known. */
  readonly outlines: readonly number[] | null;
}

export type Detail = "outlines" | "symbols" | "counts" | "raster";

export interface ViewPlan {
  readonly detail: Detail;
  /** Of the tiles that have the detail. */
  readonly level: number;
  /** In the order in which they are requested. */
  readonly tiles: readonly TilePlace[];
}

/** A picture of a tile, or of the part of a coarser one that takes its place. */
export interface Drawn {
  readonly key: string;
  readonly part: Detail;
  /** Level-0 pixels to which it is limited; null: the whole tile. */
  readonly window: Box | null;
}

/** Bytes that a view may request (OV41). */
export const MOST_BYTES = 300_000;
/** A finer detail than before has to fit so much better, so that a moving view does not change to and fro. */
export const MARGIN = 0.8;
/** Bytes of a shape in tiles of outlines and of symbols, and of a class in a tile of counts: more than usual. */
const OUTLINE_BYTES = 25;
const SYMBOL_BYTES = 9;
const COUNT_BYTES = 1000;
/** Device pixels per level-0 pixel from which a detail can be seen (OV40). */
const LEAST_SCALE = { outlines: 0.5, symbols: 1 / 16 };
/** How far outlines reach beyond their tile, as a part of it (OV7). */
const REACH = 0.25;

export const keyOf = ({ level, x, y }: TilePlace): string => `${level}/${x}/${y}`;

/**
 * The finest detail that can be seen and does not take more bytes than a view may. `shapes`: how many are expected in the box; `scale`:
 * device pixels per level-0 pixel; `before`: the detail of the view before.
 */
export function planView(
  overlay: Pyramid & { readonly classes: number },
  box: Box,
  scale: number,
  shapes: number,
  before: Detail | null,
): ViewPlan {
  const visible = clipped(box, overlay);
  const density = shapes / Math.max(1, (visible.maxX - visible.minX) * (visible.maxY - visible.minY));
  for (const detail of ["outlines", "symbols"] as const) {
    if (scale < LEAST_SCALE[detail] || (detail === "symbols" && overlay.top < SYMBOLS_LEVEL)) continue;
    const plan = planOf(detail, overlay, box, scale);
    const most = detail === before ? MOST_BYTES : MARGIN * MOST_BYTES;
    if (bytesOf(plan, overlay.classes, density) <= most) return plan;
  }
  const last = overlay.top >= COUNTS_FROM ? "counts" : overlay.top >= SYMBOLS_LEVEL ? "symbols" : "outlines";
  return planOf(last, overlay, box, scale);
}

function planOf(detail: Detail, overlay: Pyramid, box: Box, scale: number): ViewPlan {
  const level = levelOf(detail, overlay.top, scale);
  const tiles = tilesIn(overlay, box, level, hasOutlines(overlay, level) ? REACH : 0);
  for (let above = level + 1; above <= overlay.top; above += 1)
    if (hasOutlines(overlay, above)) tiles.push(...tilesIn(overlay, box, above, REACH));
  return { detail, level, tiles };
}

function levelOf(detail: Detail, top: number, scale: number): number {
  if (detail === "outlines") return 0;
  if (detail === "symbols") return SYMBOLS_LEVEL;
  return Math.min(top, Math.max(COUNTS_FROM, Math.floor(-Math.log2(scale))));
}

const hasOutlines = ({ outlines }: Pyramid, level: number): boolean => !outlines || (outlines[level] ?? 0) > 0;

/** The tiles of a level within `reach` tiles of a box, nearest to its middle first. */
export function tilesIn(
  { width, height }: { readonly width: number; readonly height: number },
  box: Box,
  level: number,
  reach: number,
): TilePlace[] {
  const side = sideOf(level);
  const least = (from: number): number => Math.max(0, Math.floor(from / side - reach));
  const most = (to: number, size: number): number => Math.min(Math.ceil(size / side), Math.ceil(to / side + reach)) - 1;
  const found: TilePlace[] = [];
  for (let y = least(box.minY); y <= most(box.maxY, height); y += 1)
    for (let x = least(box.minX); x <= most(box.maxX, width); x += 1) found.push({ level, x, y });
  const [middleX, middleY] = [(box.minX + box.maxX) / 2 / side - 0.5, (box.minY + box.maxY) / 2 / side - 0.5];
  const far = ({ x, y }: TilePlace): number => (x - middleX) ** 2 + (y - middleY) ** 2;
  return found.sort((a, b) => far(a) - far(b));
}

/** The bytes that the tiles of a plan are expected to have. */
function bytesOf({ tiles }: ViewPlan, classes: number, density: number): number {
  return tiles.reduce((sum, { level }) => {
    const area = sideOf(level) ** 2;
    if (level === 0) return sum + OUTLINE_BYTES * density * area;
    if (level === SYMBOLS_LEVEL) return sum + SYMBOL_BYTES * density * area;
    return level >= COUNTS_FROM ? sum + COUNT_BYTES * classes : sum;
  }, 0);
}

/** The counts of a tile without classes, row by row. */
export interface Totals {
  readonly place: TilePlace;
  readonly shapes: Float64Array;
}

export function totalsOf(place: TilePlace, counts: readonly ClassCounts[]): Totals {
  const sums = new Float64Array(BINS * BINS);
  for (const { shapes } of counts) shapes.forEach((count, i) => (sums[i] = sums[i]! + count));
  return { place, shapes: sums };
}

/**
 * How many shapes a box has, by the counts of a tile that covers it, or by the mean of the slide without: a square that lies partly in the
 * box counts in part.
 */
export function expectedShapes(overlay: Pyramid, box: Box, known: Totals | null): number {
  const { minX, minY, maxX, maxY } = clipped(box, overlay);
  if (!known) return (overlay.shapes * (maxX - minX) * (maxY - minY)) / (overlay.width * overlay.height);
  const { place, shapes } = known;
  const side = sideOf(place.level) / BINS;
  const [beginX, beginY] = [place.x * sideOf(place.level), place.y * sideOf(place.level)];
  const first = (from: number, begin: number): number => Math.max(0, Math.floor((from - begin) / side));
  const end = (to: number, begin: number): number => Math.min(BINS, Math.ceil((to - begin) / side));
  let sum = 0;
  for (let row = first(minY, beginY); row < end(maxY, beginY); row += 1)
    for (let column = first(minX, beginX); column < end(maxX, beginX); column += 1) {
      const [left, top] = [beginX + column * side, beginY + row * side];
      const [right, bottom] = [Math.min(left + side, overlay.width), Math.min(top + side, overlay.height)];
      const across = Math.min(maxX, right) - Math.max(minX, left);
      const down = Math.min(maxY, bottom) - Math.max(minY, top);
      if (across > 0 && down > 0)
        sum += (shapes[row * BINS + column]! * across * down) / ((right - left) * (bottom - top));
    }
  return sum;
}

/**
 * What is drawn of a plan with the tiles that are here: counts first, outlines last; for a tile that is missing, the counts above it. The order
 * does not depend on that of the requests, which changes as a view moves.
 */
export function drawnOf(
  plan: ViewPlan,
  top: number,
  stateOf: (key: string) => "here" | "empty" | "missing",
): readonly Drawn[] {
  const drawn: Drawn[] = [];
  for (const place of plan.tiles.toSorted(byPlace)) {
    const key = keyOf(place);
    const state = stateOf(key);
    if (state === "here") drawn.push({ key, part: "outlines", window: null });
    if (place.level !== plan.level) continue;
    if (state === "here" && plan.detail !== "outlines") drawn.push({ key, part: plan.detail, window: null });
    const above = state === "missing" ? countsAbove(place, top, stateOf) : null;
    if (above) drawn.push({ key: above, part: "counts", window: windowOf(place) });
  }
  const order: readonly Detail[] = ["counts", "symbols", "outlines"];
  return drawn.sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part));
}

const byPlace = (a: TilePlace, b: TilePlace): number => a.level - b.level || a.y - b.y || a.x - b.x;

/** A name of what is drawn, the same for the same. */
export const nameOf = ({ key, part, window }: Drawn): string =>
  `${part}${key}${window ? `,${window.minX},${window.minY}` : ""}`;

/** Whether it lies in a box, but for what reaches beyond its tile. */
export function liesIn({ key, window }: Drawn, box: Box): boolean {
  const own = window ?? windowOf(placeOf(key));
  return own.minX < box.maxX && own.maxX > box.minX && own.minY < box.maxY && own.maxY > box.minY;
}

function countsAbove(
  { level, x, y }: TilePlace,
  top: number,
  stateOf: (key: string) => "here" | "empty" | "missing",
): string | null {
  for (let above = Math.max(level + 1, COUNTS_FROM); above <= top; above += 1) {
    const up = 2 ** (above - level);
    const key = keyOf({ level: above, x: Math.floor(x / up), y: Math.floor(y / up) });
    if (stateOf(key) === "here") return key;
  }
  return null;
}

export function windowOf({ level, x, y }: TilePlace): Box {
  const side = sideOf(level);
  return { minX: x * side, minY: y * side, maxX: (x + 1) * side, maxY: (y + 1) * side };
}

function clipped({ minX, minY, maxX, maxY }: Box, { width, height }: Pyramid): Box {
  const [left, top] = [Math.min(width, Math.max(0, minX)), Math.min(height, Math.max(0, minY))];
  return {
    minX: left,
    minY: top,
    maxX: Math.max(left, Math.min(width, maxX)),
    maxY: Math.max(top, Math.min(height, maxY)),
  };
}

/** Where a tile with a key lies. */
export function placeOf(key: string): TilePlace {
  const [level, x, y] = key.split("/").map(Number) as [number, number, number];
  return { level, x, y };
}

/** The most shapes per level-0 pixel that a square has: the density that is drawn in full colour (OV43). */
export const fullDensity = ({ place, shapes }: Totals): number =>
  shapes.reduce((most, sum) => Math.max(most, sum), 0) / (sideOf(place.level) / BINS) ** 2;
