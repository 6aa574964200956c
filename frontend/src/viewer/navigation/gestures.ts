/**
 * Gestures that OpenSeadragon does not know, or not well: two fingers that turn, a wheel that zooms by as much as it moves or focuses,
 * pinching a mirrored slide.
 */
import type OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { addLimits } from "../core/limits";
import { wheelZoom } from "./wheel";

/** Two fingers turn the slide only after so many degrees: a pinch is never quite straight. */
const FIRM = 10;
/** A turn that ends this near to a right angle was meant to be one. */
const SNAP = 4;
/** Wheel movement for one plane, in pixels. */
const NOTCH = 60;
const LINE = 30;

/** Where two fingers are. */
type Fingers = readonly [{ readonly x: number; readonly y: number }, { readonly x: number; readonly y: number }];

interface ScrollEvent extends OpenSeadragon.CanvasScrollEvent {
  readonly originalEvent: WheelEvent;
  /** Of the pointer on the viewer, in CSS pixels. */
  readonly position: OpenSeadragon.Point;
  preventDefaultAction: boolean;
}

export function addGestures(scope: Microscope): void {
  const { viewer } = scope;
  let twist = 0;
  let turning = false;
  let fingers: Fingers | null = null; // at the last event: each tells of one finger, so that their last positions differ in age
  let wheel = 0;

  addLimits(viewer, { width: 1, height: scope.pyramid.height / scope.pyramid.width });
  viewer.addHandler("canvas-press", () => {
    twist = 0;
    turning = false;
    fingers = null;
  });
  viewer.addHandler("canvas-pinch", (event) => {
    const { gesturePoints, center, lastCenter } = event;
    const { viewport } = viewer;
    if (viewport.getFlip()) {
      const { x: width } = viewport.getContainerSize();
      center.x = width - center.x;
      lastCenter.x = width - lastCenter.x;
    }
    const now: Fingers = [gesturePoints[0].currentPos, gesturePoints[1].currentPos];
    const step = fingers ? twistOf(fingers, now) : 0;
    fingers = now;
    twist += step;
    turning ||= Math.abs(twist) > FIRM;
    if (!turning) return;
    const degrees = viewport.getRotation(true) + (viewport.getFlip() ? -step : step);
    viewport.rotateTo(degrees, viewport.pointFromPixel(center, true), true);
  });
  viewer.addHandler("canvas-release", () => {
    if (!turning) return;
    turning = false;
    const { viewport } = viewer;
    const right = 90 * Math.round(viewport.getRotation(false) / 90);
    if (Math.abs(viewport.getRotation(false) - right) < SNAP) viewport.rotateTo(right);
  });
  viewer.addHandler("canvas-scroll", (event) => {
    const scroll = event as ScrollEvent;
    scroll.preventDefaultAction = true;
    const { altKey, shiftKey, deltaX, deltaY, deltaMode } = scroll.originalEvent;
    if ((!altKey && !shiftKey) || scope.manifest.planes < 2)
      return zoomAbout(viewer, wheelZoom(scroll.originalEvent), scroll.position);
    const { steps, rest } = wheelSteps(wheel, (deltaY || deltaX) * (deltaMode === 0 ? 1 : LINE));
    wheel = rest;
    if (steps !== 0) scope.setPlane(scope.plane - steps);
  });
}

/** Zooms about a point of the viewer; that point does not move. */
function zoomAbout({ viewport }: OpenSeadragon.Viewer, factor: number, position: OpenSeadragon.Point): void {
  if (factor === 1) return;
  const point = position.clone();
  if (viewport.getFlip()) point.x = viewport.getContainerSize().x - point.x;
  viewport.zoomBy(factor, viewport.pointFromPixel(point, true));
  viewport.applyConstraints();
}

/** Degrees by which two fingers have turned, clockwise. */
export function twistOf(before: Fingers, after: Fingers): number {
  const angle = ([a, b]: Fingers): number => (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  const step = angle(after) - angle(before);
  return step - 360 * Math.round(step / 360);
}

/** Whole notches of a wheel, and what is left over: touchpads send many small movements. */
export function wheelSteps(before: number, delta: number): { steps: number; rest: number } {
  const sum = Math.sign(before) === -Math.sign(delta) ? delta : before + delta;
  const steps = Math.trunc(sum / NOTCH) || 0;
  return { steps: Math.sign(steps), rest: steps === 0 ? sum : 0 };
}
