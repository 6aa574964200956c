/** Commands of the viewer: zoom, pan, turn, mirror, go home. Directions are those of the screen. */
import OpenSeadragon from "openseadragon";
import type { Region } from "@wavescope/core/geometry/field";
import type { Microscope } from "../core/microscope";
import { turned } from "../core/viewLink";
import { freePart } from "./freePart";
import { directionBack } from "../core/rotation";

export function zoomBy(microscope: Microscope, factor: number): void {
  microscope.viewer.viewport.zoomBy(factor);
  microscope.viewer.viewport.applyConstraints();
}

/** So many device pixels per level-0 pixel: 1 is 1:1. */
export function zoomToScale(microscope: Microscope, scale: number): void {
  const now = microscope.reading(false).scale;
  zoomBy(microscope, scale / now);
}

/** The scale at which the slide is as small as it may become in this window. */
export function smallestScale(microscope: Microscope): number {
  const { viewport } = microscope.viewer;
  return (microscope.reading(false).scale * viewport.getMinZoom()) / viewport.getZoom(false);
}

/** Shows the whole slide in the part that no panel covers. */
export function home(microscope: Microscope): void {
  const { across, down } = freePart(microscope);
  if (across * down === 1) return void microscope.viewer.viewport.goHome();
  const { width, height } = microscope.pyramid;
  fit(microscope, { l0_x: 0, l0_y: 0, l0_width: width, l0_height: height }, false);
}

/** Shows a rectangle of the slide in that part; turned or mirrored, in the whole viewer. */
export function fit(microscope: Microscope, region: Region, immediately: boolean): void {
  const { viewport } = microscope.viewer;
  const upright = viewport.getRotation(false) === 0 && !viewport.getFlip();
  const { across, down } = upright ? freePart(microscope) : { across: 1, down: 1 };
  const { l0_width, l0_height } = region;
  microscope.fit({ ...region, l0_width: l0_width / across, l0_height: l0_height / down }, immediately);
}

/** Moves by parts of the field of view. */
export function panBy(microscope: Microscope, across: number, down: number, immediately = false): void {
  const { viewport } = microscope.viewer;
  const { width, height } = viewport.getBoundsNoRotate(false);
  const [x, y] = directionBack(viewport.getRotation(false), viewport.getFlip(), across * width, down * height);
  viewport.panBy(new OpenSeadragon.Point(x, y), immediately);
  viewport.applyConstraints(immediately);
}

/** Brings a level-0 point to the middle of the part that no panel covers. */
export function centreOn(microscope: Microscope, l0_x: number, l0_y: number, immediately = false): void {
  const { width } = microscope.pyramid;
  const { viewport } = microscope.viewer;
  const { across, down } = freePart(microscope);
  const { width: whole, height } = viewport.getBoundsNoRotate(false);
  const beside = [((1 - across) * whole) / 2, ((1 - down) * height) / 2] as const;
  const [x, y] = directionBack(viewport.getRotation(false), viewport.getFlip(), ...beside);
  viewport.panTo(new OpenSeadragon.Point(l0_x / width + x, l0_y / width + y), immediately);
}

/** Turns the picture clockwise on the screen, also when it is mirrored. */
export function turnBy(microscope: Microscope, degrees: number, immediately = false): void {
  const { viewport } = microscope.viewer;
  turnTo(microscope, viewport.getRotation(false) + (viewport.getFlip() ? -degrees : degrees), immediately);
}

export function turnTo(microscope: Microscope, degrees: number, immediately = false): void {
  microscope.viewer.viewport.rotateTo(turned(degrees), undefined, immediately);
  microscope.viewer.viewport.applyConstraints(immediately);
}

/** Mirrors the picture left to right. */
export function mirror(microscope: Microscope): void {
  microscope.viewer.viewport.toggleFlip();
}
