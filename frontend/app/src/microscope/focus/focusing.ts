/** Playing through the focal planes, as the system of the user allows it. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { playingOf, togglePlay } from "@wavescope/viewer/navigation/focusing";
import { t } from "@wavescope/core/i18n/i18n";
import { notify } from "../../ui/notice";

/** Marks the controls that do not stop it by being pressed. */
export const OWN = { "data-plays-focus": true };

const isOwn = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[data-plays-focus]") !== null;

export function playFocus(microscope: Microscope): void {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still && !playingOf(microscope).getState().playing) return notify(t("focus.reducedMotion"));
  togglePlay(microscope, isOwn);
}
