/** Registration by landmarks: the same spots marked on both slides. Pure. */
import { turned } from "../place";
import { type Point, type Registration, mapPoint, through } from "./registration";

/** One spot of the tissue, on both slides. */
export interface Landmark {
  readonly left: Point;
  readonly right: Point;
}

/** Two spots fix a shift, a turn and a scale. */
export const FEWEST_LANDMARKS = 2;

/**
 * The similarity that brings the marks together with the least sum of squared distances (exactly, where there are two); mirrored
 * and planes are as in `like`. Null where the marks do not tell: fewer than two, or all on one spot.
 * (In complex numbers about the centres: a = sum(conj(p) q) / sum(|p|^2); scale and turn are |a| and arg(a).)
 */
export function registrationBy(landmarks: readonly Landmark[], like: Registration): Registration | null {
  if (landmarks.length < FEWEST_LANDMARKS) return null;
  const [left, right] = [meanOf(landmarks.map((one) => one.left)), meanOf(landmarks.map((one) => one.right))];
  let [along, across, spread, reach] = [0, 0, 0, 0];
  for (const mark of landmarks) {
    const px = (mark.left.l0_x - left.l0_x) * (like.mirrored ? -1 : 1);
    const py = mark.left.l0_y - left.l0_y;
    const [qx, qy] = [mark.right.l0_x - right.l0_x, mark.right.l0_y - right.l0_y];
    along += px * qx + py * qy;
    across += px * qy - py * qx;
    spread += px * px + py * py;
    reach += qx * qx + qy * qy;
  }
  const scale = Math.hypot(along, across) / spread;
  if (!(spread > 0 && reach > 0 && scale > 0)) return null;
  const rotation = turned((Math.atan2(across, along) * 180) / Math.PI);
  return through({ ...like, scale, rotation }, left, right);
}

/** How far the marks remain from each other: root of the mean square, in level-0 pixels of the right slide. */
export function misfit(landmarks: readonly Landmark[], registration: Registration): number {
  const squares = landmarks.map(({ left, right }) => {
    const found = mapPoint(registration, left);
    return (found.l0_x - right.l0_x) ** 2 + (found.l0_y - right.l0_y) ** 2;
  });
  return Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / Math.max(1, squares.length));
}

function meanOf(points: readonly Point[]): Point {
  const sum = points.reduce((total, { l0_x, l0_y }) => ({ l0_x: total.l0_x + l0_x, l0_y: total.l0_y + l0_y }), { l0_x: 0, l0_y: 0 });
  return { l0_x: sum.l0_x / points.length, l0_y: sum.l0_y / points.length };
}
