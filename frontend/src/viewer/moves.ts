/** What hands do with the stage: zoom, pan, go home. */
import OpenSeadragon from "openseadragon";
import type { Microscope } from "./microscope";

export function zoomBy(scope: Microscope, factor: number): void {
  scope.stage.viewport.zoomBy(factor);
  scope.stage.viewport.applyConstraints();
}

/** So many device pixels per level-0 pixel: 1 is 1:1. */
export function zoomToScale(scope: Microscope, scale: number): void {
  const now = scope.reading(false).scale;
  zoomBy(scope, scale / now);
}

export function home(scope: Microscope): void {
  scope.stage.viewport.goHome();
}

/** Moves by parts of the field of view. */
export function panBy(scope: Microscope, across: number, down: number): void {
  const { viewport } = scope.stage;
  const bounds = viewport.getBounds(false);
  viewport.panBy(new OpenSeadragon.Point(across * bounds.width, down * bounds.height));
  viewport.applyConstraints();
}

/** Brings a level-0 point to the centre. */
export function centreOn(scope: Microscope, l0_x: number, l0_y: number, immediately = false): void {
  const { width } = scope.pyramid;
  scope.stage.viewport.panTo(new OpenSeadragon.Point(l0_x / width, l0_y / width), immediately);
}
