/** From level-0 pixels of a microscope's slide to the device pixels of its canvas, as it is shown now. */
import { levelForScale } from "@wavescope/core/geometry/field";
import type { Microscope } from "../../core/microscope";
import { placementOf } from "../../core/placement";
import { snapPlacement } from "../../core/tileLayout";
import { type Matrix, matrixOf } from "./matrix";

export function viewMatrix({ viewer, pyramid, canvas }: Microscope): Matrix {
  const exact = placementOf(viewer.viewport, viewer.world.getItemAt(0));
  const placement = snapPlacement(exact, levelForScale(pyramid, exact.l0_scale));
  return matrixOf(placement, canvas.width, canvas.height, viewer.viewport.getRotation(true), viewer.viewport.getFlip());
}
