/** Where a moving view goes: pure. */
import type { View } from "../view/view";

/** Level-0 pixels a second, and the view that the viewer is animating to. */
export interface Motion {
  readonly l0_vx: number;
  readonly l0_vy: number;
  readonly target: View | null;
}

export interface Sample {
  readonly view: View;
  /** Milliseconds. */
  readonly time: number;
}

/** Samples further apart than this, in time or in fields of view, are jumps. */
const TOGETHER = 100;
const AHEAD_SECONDS = 0.5;
const STILL = 1e-6;

/** The motion from the last sample to this one; null when there is none. `target`: where the viewer will stop, if that is known. */
export function motionOf(last: Sample | null, now: Sample, target: View | null): Motion | null {
  const { view } = now;
  const moving = target && differs(target, view) ? target : null;
  const seconds = last && now.time - last.time <= TOGETHER ? (now.time - last.time) / 1000 : 0;
  const [dx, dy] = last && seconds > 0 ? [view.l0_x - last.view.l0_x, view.l0_y - last.view.l0_y] : [0, 0];
  const jump = Math.abs(dx) > view.l0_width || Math.abs(dy) > view.l0_height;
  const [l0_vx, l0_vy] = seconds > 0 && !jump ? [dx / seconds, dy / seconds] : [0, 0];
  return moving || l0_vx !== 0 || l0_vy !== 0 ? { l0_vx, l0_vy, target: moving } : null;
}

/** The view half a second later (SE36). */
export function movedOn(view: View, { l0_vx, l0_vy }: Motion): View {
  return { ...view, l0_x: view.l0_x + AHEAD_SECONDS * l0_vx, l0_y: view.l0_y + AHEAD_SECONDS * l0_vy };
}

function differs(a: View, b: View): boolean {
  const far = (one: number, other: number): boolean => Math.abs(one - other) > STILL * Math.max(1, Math.abs(other));
  return (
    far(a.l0_x, b.l0_x) ||
    far(a.l0_y, b.l0_y) ||
    far(a.l0_width, b.l0_width) ||
    far(a.l0_height, b.l0_height) ||
    far(a.rotation, b.rotation)
  );
}
