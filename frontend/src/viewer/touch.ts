/**
 * Two fingers zoom (OpenSeadragon sees to that) and turn the slide. Its own turning counts each move once for either finger, that is
 * twice, so ours goes by the line between the fingers. Hands that only zoom turn a little too: that much is not taken for a turn.
 */
import type OpenSeadragon from "openseadragon";

/** Degrees that nobody means. */
const UNMEANT = 8;

export function turnByTwoFingers(stage: OpenSeadragon.Viewer): void {
  const { viewport } = stage;
  let held: { readonly angle: number; readonly rotation: number } | null = null;
  let meant = false;
  stage.addHandler("canvas-pinch", ({ gesturePoints, center }) => {
    const angle = angleOf(gesturePoints);
    held ??= { angle, rotation: viewport.getRotation(false) };
    const turn = shortest(viewport.getFlip() ? held.angle - angle : angle - held.angle);
    meant ||= Math.abs(turn) > UNMEANT;
    if (meant) viewport.rotateTo(held.rotation + beyond(turn), viewport.pointFromPixel(center, true), true);
  });
  stage.addHandler("canvas-release", () => {
    if (meant) viewport.rotateTo(levelled(viewport.getRotation(false)));
    held = null;
    meant = false;
  });
}

/** The direction from the second finger to the first, in degrees. */
function angleOf([first, second]: readonly OpenSeadragon.GesturePoint[]): number {
  const across = first.currentPos.x - second.currentPos.x;
  const down = first.currentPos.y - second.currentPos.y;
  return (Math.atan2(down, across) * 180) / Math.PI;
}

/** The same turn, the short way round. */
export function shortest(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}

/** What is left of a turn after the part that nobody means, so that it begins without a jump. */
function beyond(turn: number): number {
  return Math.sign(turn) * Math.max(0, Math.abs(turn) - UNMEANT);
}

/** The nearest quarter turn, if it is near; else the same. */
export function levelled(degrees: number): number {
  const quarter = 90 * Math.round(degrees / 90);
  return Math.abs(degrees - quarter) <= UNMEANT ? quarter : degrees;
}
