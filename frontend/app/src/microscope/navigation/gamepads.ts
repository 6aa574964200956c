/** Reads a gamepad in every frame while one is connected, and only then. */
import { type PadReading, padAction } from "@wavescope/viewer/navigation/gamepad";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { home, panBy, turnBy, zoomBy, zoomToScale } from "@wavescope/viewer/navigation/moves";
import { jump } from "../browserHistory";
import { stepTurret } from "./objective";

/** A pause longer than this (a hidden page) is none that a stick was held for. Seconds. */
const LONGEST_STEP = 0.1;

export function followGamepads(microscope: Microscope): () => void {
  let frame = 0;
  let before: PadReading | null = null;
  let last = 0;
  const read = (now: number): void => {
    const pad = navigator.getGamepads().find((gamepad) => gamepad?.connected);
    if (!pad) {
      frame = 0;
      before = null;
      return;
    }
    const reading = { axes: pad.axes, buttons: pad.buttons.map((button) => button.value) };
    act(microscope, reading, before, Math.min(LONGEST_STEP, (now - last) / 1000));
    before = reading;
    last = now;
    frame = requestAnimationFrame(read);
  };
  const connect = (): void => {
    if (frame === 0) frame = requestAnimationFrame(read);
  };
  addEventListener("gamepadconnected", connect);
  if (navigator.getGamepads?.().some((gamepad) => gamepad?.connected)) connect();
  return () => {
    removeEventListener("gamepadconnected", connect);
    cancelAnimationFrame(frame);
  };
}

function act(microscope: Microscope, reading: PadReading, before: PadReading | null, seconds: number): void {
  const { across, down, zoom, turn, focus, objective, home: goHome, full } = padAction(reading, before, seconds);
  if (across !== 0 || down !== 0) panBy(microscope, across, down, true);
  if (zoom !== 1) zoomBy(microscope, zoom);
  if (turn !== 0) turnBy(microscope, turn, true);
  if (focus !== 0) microscope.setPlane(microscope.plane + focus);
  if (objective !== 0) stepTurret(microscope, objective > 0 ? 1 : -1);
  if (goHome) jump(microscope, () => home(microscope));
  if (full) jump(microscope, () => zoomToScale(microscope, 1));
}
