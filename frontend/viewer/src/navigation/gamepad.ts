/** A gamepad as controls of the viewer: pure, from one reading to the next. Buttons and axes as the "standard" mapping numbers them. */

export interface PadReading {
  /** Left stick x, y, right stick x, y; -1 to 1. */
  readonly axes: readonly number[];
  /** 0 to 1 each. */
  readonly buttons: readonly number[];
}

export interface PadAction {
  /** Parts of the field of view. */
  readonly across: number;
  readonly down: number;
  readonly zoom: number;
  /** Clockwise degrees. */
  readonly turn: number;
  /** Planes up or down. */
  readonly focus: number;
  /** Objectives stronger or weaker. */
  readonly objective: number;
  readonly home: boolean;
  readonly full: boolean;
}

const A = 0;
const B = 1;
const X = 2;
const Y = 3;
const LEFT_BUMPER = 4;
const RIGHT_BUMPER = 5;
const LEFT_TRIGGER = 6;
const RIGHT_TRIGGER = 7;

/** Sticks at rest are not quite at 0. */
const DEAD = 0.15;
const FIELDS_PER_SECOND = 1.1;
const ZOOM_PER_SECOND = 4;
const DEGREES_PER_SECOND = 60;

/** What to do for the `seconds` between two readings: sticks and triggers act as long as they are held, buttons once. */
export function padAction(pad: PadReading, before: PadReading | null, seconds: number): PadAction {
  const pressed = (button: number): boolean => isPressed(pad, button) && !(before && isPressed(before, button));
  const step = (up: number, down: number): number => Number(pressed(up)) - Number(pressed(down));
  const trigger = (pad.buttons[RIGHT_TRIGGER] ?? 0) - (pad.buttons[LEFT_TRIGGER] ?? 0);
  return {
    across: stick(pad.axes[0]) * FIELDS_PER_SECOND * seconds,
    down: stick(pad.axes[1]) * FIELDS_PER_SECOND * seconds,
    zoom: ZOOM_PER_SECOND ** (stick(trigger) * seconds),
    turn: stick(pad.axes[2]) * DEGREES_PER_SECOND * seconds,
    focus: step(RIGHT_BUMPER, LEFT_BUMPER),
    objective: step(A, B),
    home: pressed(Y),
    full: pressed(X),
  };
}

function isPressed(pad: PadReading, button: number): boolean {
  return (pad.buttons[button] ?? 0) > 0.5;
}

/** Without the dead zone, and finer near the middle. */
function stick(value = 0): number {
  const reach = Math.min(1, Math.max(0, (Math.abs(value) - DEAD) / (1 - DEAD)));
  return Math.sign(value) * reach ** 2 || 0;
}
