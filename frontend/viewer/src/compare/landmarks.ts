/**
 * Landmarks: places that the user has marked on several slides, and for the first slide and another one the registration that brings
 * them together best, in least squares of the distances on the right slide. One pair gives a shift; two or three a similarity; four and more an affine registration, which
 * three pairs would satisfy without telling anything of their errors. Pure arithmetic.
 */
import { turned } from "../core/viewLink";
import { EVEN, type Extent, type Point, type Registration, mapPoint, through } from "./registration";

export interface LandmarkPair {
  readonly left: Point;
  readonly right: Point;
}

/** A place as it was marked on the slides, in the order of the panes; null where it is not. */
export type Landmark = readonly (Point | null)[];

/** As many as an address may carry. */
export const MAX_LANDMARKS = 60;
/** From so many pairs on the fit is affine. */
export const AFFINE_PAIRS = 4;
/** Nearer to a line than this share of their spread squared, points do not tell how a slide is drawn out across it. */
const LINE = 1e-3;

export type FitKind = "shift" | "similarity" | "affine";

export interface Fit {
  readonly kind: FitKind;
  readonly registration: Registration;
}

/** Those that are marked on the first slide and on that of a pane. */
export function pairsOf(landmarks: readonly Landmark[], pane: number): readonly LandmarkPair[] {
  return landmarks.flatMap((landmark) => {
    const [left, right] = [landmark[0], landmark[pane]];
    return left && right ? [{ left, right }] : [];
  });
}

/** What pairs do not tell stays as in `now`: planes, and whether two are mirrored. Null where there are none, or several at one spot. */
export function fitLandmarks(pairs: readonly LandmarkPair[], now: Registration): Fit | null {
  if (pairs.length === 0) return null;
  if (pairs.length === 1) return { kind: "shift", registration: through(now, pairs[0]!.left, pairs[0]!.right) };
  const spread = spreadOf(pairs);
  if (!(spread.left > 0) || !(spread.right > 0)) return null;
  if (pairs.length >= AFFINE_PAIRS) {
    const registration = affine(pairs, now);
    if (registration) return { kind: "affine", registration };
  }
  return { kind: "similarity", registration: similarity(pairs, now) };
}

/** How far each pair is off, on the right slide: in micrometres where its scale is known, else in level-0 pixels. */
export function residuals(
  pairs: readonly LandmarkPair[],
  registration: Registration,
  { mpp }: Pick<Extent, "mpp">,
): number[] {
  return pairs.map((pair) => distance(mapPoint(registration, pair.left), pair.right) * (mpp?.x ?? 1));
}

export function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}

/** Of a slide and of its mirror image, the one that fits better; two pairs fit both. */
function similarity(pairs: readonly LandmarkPair[], now: Registration): Registration {
  const [current, other] = [now.mirrored, !now.mirrored].map((mirrored) => similarityAs(pairs, mirrored, now)) as [
    Registration,
    Registration,
  ];
  return pairs.length > 2 && misfit(pairs, other) < misfit(pairs, current) ? other : current;
}

function similarityAs(pairs: readonly LandmarkPair[], mirrored: boolean, now: Registration): Registration {
  const { left, right } = middles(pairs);
  let [cos, sin, size] = [0, 0, 0];
  for (const pair of pairs) {
    const [x, y] = [(mirrored ? -1 : 1) * (pair.left.l0_x - left.l0_x), pair.left.l0_y - left.l0_y];
    const [u, v] = [pair.right.l0_x - right.l0_x, pair.right.l0_y - right.l0_y];
    cos += x * u + y * v;
    sin += x * v - y * u;
    size += x * x + y * y;
  }
  const scale = Math.hypot(cos, sin) / size || 1;
  const linear = { ...now, ...EVEN, scale, rotation: turned(degrees(sin, cos)), mirrored };
  return through(linear, left, right);
}

function affine(pairs: readonly LandmarkPair[], now: Registration): Registration | null {
  const { left, right } = middles(pairs);
  let [xx, xy, yy, ux, uy, vx, vy] = [0, 0, 0, 0, 0, 0, 0];
  for (const pair of pairs) {
    const [x, y] = [pair.left.l0_x - left.l0_x, pair.left.l0_y - left.l0_y];
    const [u, v] = [pair.right.l0_x - right.l0_x, pair.right.l0_y - right.l0_y];
    [xx, xy, yy] = [xx + x * x, xy + x * y, yy + y * y];
    [ux, uy, vx, vy] = [ux + u * x, uy + u * y, vx + v * x, vy + v * y];
  }
  const det = xx * yy - xy * xy;
  if (det < LINE * (xx + yy) ** 2) return null;
  const [a, b] = [(ux * yy - uy * xy) / det, (uy * xx - ux * xy) / det];
  const [c, d] = [(vx * yy - vy * xy) / det, (vy * xx - vx * xy) / det];
  const linear = decompose(a, b, c, d);
  return linear && through({ ...now, ...linear }, left, right);
}

/** [[a, b], [c, d]] = scale * R * M * S; see registration.ts. Null where it crushes the slide to a line. */
export function decompose(
  a: number,
  b: number,
  c: number,
  d: number,
): Pick<Registration, "scale" | "rotation" | "mirrored" | "stretch" | "shear"> | null {
  const det = a * d - b * c;
  const size = a * a + b * b + c * c + d * d;
  if (Math.abs(det) < LINE * size) return null;
  const mirrored = det < 0;
  const scale = Math.sqrt(Math.abs(det));
  const [p, r] = mirrored ? [-a, -c] : [a, c]; // without the mirror: R S, or R M S M
  const angle = Math.atan2(r - b, p + d);
  const [cos, sin] = [Math.cos(angle) / scale, Math.sin(angle) / scale];
  const stretch = (cos * p + sin * r - (cos * d - sin * b)) / 2;
  const shear = cos * b + sin * d;
  return {
    scale,
    rotation: turned(degrees(Math.sin(angle), Math.cos(angle))),
    mirrored,
    stretch,
    shear: mirrored ? -shear : shear,
  };
}

function misfit(pairs: readonly LandmarkPair[], registration: Registration): number {
  return rootMeanSquare(residuals(pairs, registration, { mpp: null }));
}

function middles(pairs: readonly LandmarkPair[]): LandmarkPair {
  return { left: middle(pairs.map(({ left }) => left)), right: middle(pairs.map(({ right }) => right)) };
}

function middle(points: readonly Point[]): Point {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { l0_x: mean(points.map(({ l0_x }) => l0_x)), l0_y: mean(points.map(({ l0_y }) => l0_y)) };
}

function spreadOf(pairs: readonly LandmarkPair[]): { left: number; right: number } {
  const { left, right } = middles(pairs);
  return {
    left: Math.max(...pairs.map((pair) => distance(pair.left, left))),
    right: Math.max(...pairs.map((pair) => distance(pair.right, right))),
  };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.l0_x - other.l0_x, one.l0_y - other.l0_y);
}

function degrees(sin: number, cos: number): number {
  return (Math.atan2(sin, cos) * 180) / Math.PI;
}
