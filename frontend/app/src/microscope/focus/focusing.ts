/** The focal planes in words, and playing through them, as the system of the user allows it. */
import { decimal } from "@wavescope/core/geometry/figures";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
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

/** `Plane 3 of 7, -2 µm`: the depth is that from the middle plane, where the spacing is known. */
export function planeLabel(
  plane: number,
  { planes, planeSpacingUm }: Pick<Manifest, "planes" | "planeSpacingUm">,
): string {
  if (planeSpacingUm === null) return t("microscope.plane", { plane: plane + 1, planes });
  const depth = (plane - (planes - 1) / 2) * planeSpacingUm;
  return t("microscope.planeAtDepth", {
    plane: plane + 1,
    planes,
    depth: `${depth > 0 ? "+" : ""}${decimal(Number(depth.toFixed(2)))}`,
  });
}
