/** The units of an import and their order; the twin of backend/src/wavescope/ingest/plan.py, of one plane and channel group. */
import { Pyramid } from "../../geometry/pyramid";

/** Blocks per side of a shard. */
export const SHARD = 16;
/** Blocks per side of a page of the layer index. */
export const PAGE = 32;
export const STRIP_ROWS = 4;
/** Rows of parent tiles that a full strip makes, and rows and columns that a full unit makes. */
const LL_ROWS_PER_STRIP = STRIP_ROWS / 2;
const LL_ROWS_PER_UNIT = SHARD / 2;

/** A shard, or on the top level the approximation. */
export interface Unit {
  readonly level: number;
  readonly sx: number;
  readonly sy: number;
}

export const keyOf = ({ level, sx, sy }: Unit): string => `${level} ${sx} ${sy}`;

/** First column or row, and the first that is no more of it. */
type Span = readonly [from: number, to: number];

export class Plan {
  readonly pyramid: Pyramid;

  constructor(width: number, height: number) {
    this.pyramid = new Pyramid(width, height);
  }

  get top(): number {
    return this.pyramid.top;
  }

  grid(level: number, side: number): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = this.pyramid.tiles(level);
    return { columns: Math.ceil(columns / side), rows: Math.ceil(rows / side) };
  }

  /** All units, children before parents, level-0 shards in Z order. */
  *units(unit: Unit = { level: this.top, sx: 0, sy: 0 }): Generator<Unit> {
    for (const child of this.children(unit)) yield* this.units(child);
    yield unit;
  }

  /** The units whose LLs make this one, in Z order. */
  children({ level, sx, sy }: Unit): Unit[] {
    if (level === 0) return [];
    const { columns, rows } = this.grid(level - 1, SHARD);
    return [0, 1, 2, 3]
      .map((n) => ({ level: level - 1, sx: 2 * sx + (n & 1), sy: 2 * sy + (n >> 1) }))
      .filter((child) => child.sx < columns && child.sy < rows);
  }

  columns({ level, sx }: Unit): Span {
    return [SHARD * sx, Math.min(SHARD * (sx + 1), this.pyramid.tiles(level).columns)];
  }

  rows({ level, sy }: Unit): Span {
    return [SHARD * sy, Math.min(SHARD * (sy + 1), this.pyramid.tiles(level).rows)];
  }

  strips(unit: Unit): number {
    const [from, to] = this.rows(unit);
    return Math.ceil((to - from) / STRIP_ROWS);
  }

  stripRows(unit: Unit, strip: number): Span {
    const [from, to] = this.rows(unit);
    return [from + STRIP_ROWS * strip, Math.min(from + STRIP_ROWS * (strip + 1), to)];
  }

  /** Which strips of which children make a strip: by strip from top to bottom, then child from left to right. */
  inputs(unit: Unit, strip: number): { readonly child: Unit; readonly strip: number }[][] {
    const [from, to] = this.stripRows(unit, strip);
    const first = from - SHARD * unit.sy;
    const dy = Math.floor(first / LL_ROWS_PER_UNIT);
    const start = (first % LL_ROWS_PER_UNIT) / LL_ROWS_PER_STRIP;
    const children = this.children(unit).filter(({ sy }) => (sy & 1) === dy);
    const count = Math.min(Math.ceil((to - from) / LL_ROWS_PER_STRIP), this.strips(children[0]!) - start);
    return Array.from({ length: count }, (_, i) => children.map((child) => ({ child, strip: start + i })));
  }

  /** Tiles of all levels. */
  get total(): number {
    let sum = 0;
    for (let level = 0; level <= this.top; level += 1) {
      const { columns, rows } = this.pyramid.tiles(level);
      sum += columns * rows;
    }
    return sum;
  }
}
