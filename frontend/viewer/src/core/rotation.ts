/**
 * The turned and mirrored slide: pure arithmetic, in device pixels. The slide is laid out upright on the canvas, then turned about the
 * canvas's centre, then mirrored left to right; the matrices are those of a 2D canvas, [a, b, c, d, e, f].
 */

export type Matrix = readonly [number, number, number, number, number, number];

/** Turns nearer than this to a right angle are meant to be right: the rest is the noise of springs. Degrees. */
const NOISE = 1e-6;

/** Right angles are exact, and then whole pixels stay whole pixels. */
export function turnMatrix(width: number, height: number, rotation: number, flip: boolean): Matrix {
  const { cos, sin, right } = angle(rotation);
  const mirror = flip ? -1 : 1;
  const [a, b, c, d] = [mirror * cos, sin, -mirror * sin, cos];
  const e = width / 2 - (a * width) / 2 - (c * height) / 2;
  const f = height / 2 - (b * width) / 2 - (d * height) / 2;
  return right ? [a, b, c, d, Math.round(e), Math.round(f)] : [a, b, c, d, e, f];
}

/** Whether the slide is turned by other than right angles: then pixels do not lie on pixels. */
export function isSlanted(rotation: number): boolean {
  return !angle(rotation).right;
}

export function transform([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The way back. Turns and mirrors keep lengths, so the inverse of the linear part is its transpose. */
export function transformBack([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * (x - e) + b * (y - f), c * (x - e) + d * (y - f)];
}

/** A direction on the screen as one on the upright slide. */
export function directionBack(rotation: number, flip: boolean, across: number, down: number): [number, number] {
  return transformBack(turnMatrix(0, 0, rotation, flip), across, down);
}

function angle(rotation: number): { cos: number; sin: number; right: boolean } {
  const quarters = Math.round(rotation / 90);
  if (Math.abs(rotation - 90 * quarters) > NOISE) {
    const radians = ((rotation % 360) * Math.PI) / 180;
    return { cos: Math.cos(radians), sin: Math.sin(radians), right: false };
  }
  const turn = ((quarters % 4) + 4) % 4;
  return { cos: [1, 0, -1, 0][turn]!, sin: [0, 1, 0, -1][turn]!, right: true };
}
