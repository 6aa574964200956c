/** Commands of the viewer: zoom, pan, turn, mirror, go home. Directions are those of the screen. */
import OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { turned } from "../core/viewLink";
import { directionBack } from "../core/rotation";

export function zoomBy(scope: Microscope, factor: number): void {
  scope.viewer.viewport.zoomBy(factor);
  scope.viewer.viewport.applyConstraints();
}

/** So many device pixels per level-0 pixel: 1 is 1:1. */
export function zoomToScale(scope: Microscope, scale: number): void {
  const now = scope.reading(false).scale;
  zoomBy(scope, scale / now);
}

/** The scale at which the slide is as small as it may become in this window. */
export function smallestScale(scope: Microscope): number {
  const { viewport } = scope.viewer;
  return (scope.reading(false).scale * viewport.getMinZoom()) / viewport.getZoom(false);
}

export function home(scope: Microscope): void {
  scope.viewer.viewport.goHome();
}

/** Moves by parts of the field of view. */
export function panBy(scope: Microscope, across: number, down: number, immediately = false): void {
  const { viewport } = scope.viewer;
  const { width, height } = viewport.getBoundsNoRotate(false);
  const [x, y] = directionBack(viewport.getRotation(false), viewport.getFlip(), across * width, down * height);
  viewport.panBy(new OpenSeadragon.Point(x, y), immediately);
  viewport.applyConstraints(immediately);
}

/** Brings a level-0 point to the centre. */
export function centreOn(scope: Microscope, l0_x: number, l0_y: number, immediately = false): void {
  const { width } = scope.pyramid;
  scope.viewer.viewport.panTo(new OpenSeadragon.Point(l0_x / width, l0_y / width), immediately);
}

/** Turns the picture clockwise on the screen, also when it is mirrored. */
export function turnBy(scope: Microscope, degrees: number, immediately = false): void {
  const { viewport } = scope.viewer;
  turnTo(scope, viewport.getRotation(false) + (viewport.getFlip() ? -degrees : degrees), immediately);
}

export function turnTo(scope: Microscope, degrees: number, immediately = false): void {
  scope.viewer.viewport.rotateTo(turned(degrees), undefined, immediately);
  scope.viewer.viewport.applyConstraints(immediately);
}

/** Mirrors the picture left to right. */
export function mirror(scope: Microscope): void {
  scope.viewer.viewport.toggleFlip();
}
