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
  const { width, height } = microscope.pyramid;
  fit(microscope, { l0_x: 0, l0_y: 0, l0_width: width, l0_height: height }, false);
}

/** Shows a rectangle of the slide in the middle of that part, as large as it fits, however the slide is turned. */
export function fit(microscope: Microscope, region: Region, immediately: boolean): void {
  const { viewport } = microscope.viewer;
  const { across, down } = freePart(microscope);
  const { l0_width, l0_height } = region;
  const rotation = viewport.getRotation(false);
  const [cos, sin] = [Math.abs(Math.cos((rotation * Math.PI) / 180)), Math.abs(Math.sin((rotation * Math.PI) / 180))];
  const { x: css_width, y: css_height } = viewport.getContainerSize();
  const scale = Math.min(
    (across * css_width) / (l0_width * cos + l0_height * sin),
    (down * css_height) / (l0_width * sin + l0_height * cos),
  );
  const [x, y] = directionBack(
    rotation,
    viewport.getFlip(),
    ((1 - across) * css_width) / 2 / scale,
    ((1 - down) * css_height) / 2 / scale,
  );
  const side = Math.min(css_width, css_height) / scale / (cos + sin); // of a square that the viewer shows so: turned, it just fits
  microscope.fit(
    {
      l0_x: region.l0_x + (l0_width - side) / 2 + x,
      l0_y: region.l0_y + (l0_height - side) / 2 + y,
      l0_width: side,
      l0_height: side,
    },
    immediately,
  );
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
