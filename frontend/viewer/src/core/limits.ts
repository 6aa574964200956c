/**
 * How far the view may go: its centre stays on the slide, however it is turned, so that the slide never leaves the screen.
 * In viewport coordinates: the slide is 1 wide.
 */
import type OpenSeadragon from "openseadragon";

export interface Extent {
  readonly width: number;
  readonly height: number;
}

interface DragEvent {
  readonly delta: OpenSeadragon.Point;
}

interface LimitedBounds extends OpenSeadragon.Rect {
  xConstrained: boolean;
  yConstrained: boolean;
  constraintApplied: boolean;
}

interface LimitedViewport extends OpenSeadragon.Viewport {
  _applyBoundaryConstraints(bounds: OpenSeadragon.Rect): LimitedBounds;
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The nearest position for the centre; one that is off the slide already (`from`) may stay as far away as it is. */
export function clampToSlide({ width, height }: Extent, { x, y }: Spot, from: Spot = { x: 0, y: 0 }): [number, number] {
  return [
    between(Math.min(0, from.x), Math.max(width, from.x), x),
    between(Math.min(0, from.y), Math.max(height, from.y), y),
  ];
}

function between(least: number, most: number, value: number): number {
  return Math.min(most, Math.max(least, value));
}

/** In place of OpenSeadragon's own limit, a part of the slide's upright box that must be seen: turned, or in a corner, that part may be empty. */
export function addLimits(viewer: OpenSeadragon.Viewer, slide: Extent): void {
  const limited = viewer.viewport as LimitedViewport;
  limited._applyBoundaryConstraints = (bounds) => {
    const centre = bounds.getCenter();
    const [x, y] = clampToSlide(slide, centre);
    const moved = bounds.clone();
    moved.x += x - centre.x;
    moved.y += y - centre.y;
    const [xConstrained, yConstrained] = [x !== centre.x, y !== centre.y];
    return Object.assign(moved, { xConstrained, yConstrained, constraintApplied: xConstrained || yConstrained });
  };
  viewer.addHandler("canvas-drag", (event) => limitDrag(viewer, slide, event));
}

/** Shortens the step of a hand that drags on after the limit is reached. */
function limitDrag({ viewport }: OpenSeadragon.Viewer, slide: Extent, { delta }: DragEvent): void {
  const mirror = viewport.getFlip() ? -1 : 1;
  const step = delta.clone();
  step.x *= mirror;
  const centre = viewport.getCenter(false);
  const wanted = centre.minus(viewport.deltaPointsFromPixels(step));
  const [x, y] = clampToSlide(slide, wanted, centre);
  if (x === wanted.x && y === wanted.y) return;
  wanted.x = x;
  wanted.y = y;
  const allowed = viewport.deltaPixelsFromPoints(centre.minus(wanted));
  delta.x = allowed.x * mirror;
  delta.y = allowed.y;
}

/** Drags the slide by so many CSS pixels, as far as it may go. */
export function panByPixels(viewer: OpenSeadragon.Viewer, slide: Extent, delta: OpenSeadragon.Point): void {
  const { viewport } = viewer;
  const step = { delta: delta.clone() };
  limitDrag(viewer, slide, step);
  if (viewport.getFlip()) step.delta.x *= -1;
  viewport.panBy(viewport.deltaPointsFromPixels(step.delta.negate(), true), true);
}
