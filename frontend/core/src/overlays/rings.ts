/** The corners of rings from differences (overlays.md, OV13, OV14, OV55, OV78). Lengths in quarters of a level-0 pixel, from the tile's beginning. */
import { CorruptError } from "../wire/http/errors";

/** In quarters of a pixel, from the slide's beginning. */
export const MAX_COORDINATE = 2 ** 28;
const MAX_STEP = 2 ** 31;
const UNIT = 2 ** 14;
/** The highest prediction: 0 is that of OV14, 1 + k that of OV55 with k quarters of the deviation before, others are those of OV78. */
export const MAX_PREDICTION = 37;

/** Whether a ring of so many corners has an ellipse. */
export const hasEllipse = (corners: number): boolean => corners >= 6 && corners <= 256;

/** Columns of differences, and the ellipses of rings that have one; null: rings without, by OV14. */
export interface Differences {
  readonly dx: Int32Array;
  readonly dy: Int32Array;
  readonly ellipses: Ellipses | null;
}

export interface Ellipses {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly bAndC: Int32Array;
  readonly dLessA: Int32Array;
  /** Quarters of the two deviations before that are expected again. */
  readonly shares: Shares;
}

type Shares = readonly [number, number];
const WITHOUT_ELLIPSE: Shares = [4, 0];

/** Those of a prediction by ellipses. */
export const sharesOf = (prediction: number): Shares =>
  prediction <= 5 ? [prediction - 1, 0] : [(prediction - 6) % 8, -1 - Math.floor((prediction - 6) / 8)];

/** Writes the corners of rings, one ring after the other. */
export class RingWriter {
  private corner = 0;
  private difference = 0;
  private ellipse = 0;

  constructor(
    private readonly corners: Int32Array,
    private readonly differences: Differences,
    /** Of the tile. */
    private readonly origin: readonly [number, number],
  ) {}

  /** The next ring: where it begins, and the number of corners up to its end. Throws CorruptError. */
  write(beginX: number, beginY: number, end: number): void {
    const { ellipses } = this.differences;
    if (ellipses) this.onEllipse(ellipses, beginX, beginY, end);
    else this.onTurns(beginX, beginY, end);
  }

  private onTurns(beginX: number, beginY: number, end: number): void {
    const { dx, dy } = this.differences;
    const { cos, sin } = turning(end - this.corner);
    let [x, y] = [beginX, beginY];
    let [a, b] = [0, 0];
    this.put(x, y);
    while (this.corner < end) {
      const nextA = Math.floor((cos * a - sin * b + UNIT / 2) / UNIT) + dx[this.difference]!;
      b = Math.floor((sin * a + cos * b + UNIT / 2) / UNIT) + dy[this.difference]!;
      a = nextA;
      if (Math.abs(a) >= MAX_STEP || Math.abs(b) >= MAX_STEP) throw new CorruptError("a step that is too long");
      this.difference += 1;
      x += a;
      y += b;
      this.put(x, y);
    }
  }

  private onEllipse(ellipses: Ellipses, beginX: number, beginY: number, end: number): void {
    const { dx, dy } = this.differences;
    const size = end - this.corner;
    const isOwn = hasEllipse(size);
    const [one, other] = isOwn ? ellipses.shares : WITHOUT_ELLIPSE;
    const waves = wavesOf(isOwn ? size : 1);
    let [a, b, c, d] = [0, 0, 0, 0];
    if (isOwn) {
      a = ellipses.a[this.ellipse]!;
      b = ellipses.b[this.ellipse]!;
      c = ellipses.bAndC[this.ellipse]! - b;
      d = ellipses.dLessA[this.ellipse]! + a;
      this.ellipse += 1;
    }
    let [x, y] = [0, 0]; // the deviation, and the one before
    let [lastX, lastY] = [0, 0];
    for (let i = 0; this.corner < end; i += 1) {
      const [cos, sin] = isOwn ? [waves[2 * i]!, waves[2 * i + 1]!] : [0, 0];
      const nextX = Math.floor((one * x + other * lastX + 2) / 4) + dx[this.difference]!;
      const nextY = Math.floor((one * y + other * lastY + 2) / 4) + dy[this.difference]!;
      if (i > 0 && (Math.abs(nextX) >= MAX_STEP || Math.abs(nextY) >= MAX_STEP))
        throw new CorruptError("a deviation that is too long");
      [lastX, lastY, x, y] = [x, y, nextX, nextY];
      this.difference += 1;
      this.put(
        beginX + Math.floor((a * cos + b * sin + UNIT / 2) / UNIT) + x,
        beginY + Math.floor((c * cos + d * sin + UNIT / 2) / UNIT) + y,
      );
    }
  }

  private put(x: number, y: number): void {
    if (Math.abs(x + this.origin[0]) > MAX_COORDINATE || Math.abs(y + this.origin[1]) > MAX_COORDINATE)
      throw new CorruptError("a corner that is too far away");
    this.corners[2 * this.corner] = x;
    this.corners[2 * this.corner + 1] = y;
    this.corner += 1;
  }
}

const turns = new Map<number, { readonly cos: number; readonly sin: number }>();

/** C and S of OV14 for a ring of so many corners. */
export function turning(corners: number): { readonly cos: number; readonly sin: number } {
  const known = turns.get(corners);
  if (known) return known;
  const angle = (2 * Math.PI) / corners;
  const made = { cos: inUnits(Math.cos(angle)), sin: inUnits(Math.sin(angle)) };
  turns.set(corners, made);
  return made;
}

const waves = new Map<number, Int32Array>();

/** Cosine and sine of OV55 of each corner of a ring of so many. */
function wavesOf(corners: number): Int32Array {
  const known = waves.get(corners);
  if (known) return known;
  const made = new Int32Array(2 * corners);
  for (let i = 0; i < corners; i += 1) {
    const angle = (2 * Math.PI * i) / corners;
    made[2 * i] = inUnits(Math.cos(angle));
    made[2 * i + 1] = inUnits(Math.sin(angle));
  }
  waves.set(corners, made);
  return made;
}

const inUnits = (value: number): number => Math.floor(UNIT * value + 0.5);
