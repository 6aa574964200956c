/**
 * Gestures that OpenSeadragon does not know, or not well: two fingers, a wheel that zooms by as much as it moves or focuses, the middle
 * button that drags.
 */
import OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { type Extent, addLimits, panByPixels } from "../core/limits";
import { wheelZoom } from "./wheel";

/** Two fingers turn the slide only after so many degrees: a pinch is never quite straight. */
const FIRM = 10;
/** A turn that ends this near to a right angle was meant to be one. */
const SNAP = 4;
/** Wheel movement for one plane, in pixels. */
const NOTCH = 60;
const LINE = 30;
/** The middle button: as the one that changed, and among those that are down. */
const MIDDLE = 1;
const MIDDLE_DOWN = 4;

/** Where two fingers are. */
type Fingers = readonly [{ readonly x: number; readonly y: number }, { readonly x: number; readonly y: number }];

const NOWHERE = { x: 0, y: 0 };

/** The middle between two fingers, in CSS pixels of the viewer, and how far apart they are. */
interface Spread {
  readonly centre: OpenSeadragon.Point;
  readonly distance: number;
}

/** What two fingers have done together. */
interface Pinch {
  /** The finger of the last event. */
  readonly finger: number;
  readonly from: Spread;
  readonly to: Spread;
  /** Degrees, clockwise. */
  readonly turned: number;
}

/** What a wheel, or two fingers on a trackpad, mean: to zoom, or to move the slide. A pinch, which comes with Ctrl, always zooms. */
export const wheel = { pans: false };

interface ScrollEvent extends OpenSeadragon.CanvasScrollEvent {
  readonly originalEvent: WheelEvent;
  /** Of the pointer on the viewer, in CSS pixels. */
  readonly position: OpenSeadragon.Point;
  preventDefaultAction: boolean;
}

export function addGestures(microscope: Microscope): void {
  const { viewer } = microscope;
  const slide = { width: 1, height: microscope.pyramid.height / microscope.pyramid.width };
  addLimits(viewer, slide);
  addPinch(viewer);
  addMiddleDrag(viewer, slide);
  let focused = 0;
  viewer.addHandler("canvas-scroll", (event) => {
    const scroll = event as ScrollEvent;
    scroll.preventDefaultAction = true;
    const { altKey, shiftKey, ctrlKey, deltaX, deltaY, deltaMode } = scroll.originalEvent;
    const unit = deltaMode === 0 ? 1 : LINE;
    if ((!altKey && !shiftKey) || microscope.manifest.planes < 2) {
      if (!wheel.pans || ctrlKey) return zoomAbout(viewer, wheelZoom(scroll.originalEvent), scroll.position);
      return panByPixels(viewer, slide, new OpenSeadragon.Point(-deltaX * unit, -deltaY * unit));
    }
    const { steps, rest } = wheelSteps(focused, (deltaY || deltaX) * unit);
    focused = rest;
    if (steps !== 0) microscope.setPlane(microscope.plane - steps);
  });
}

/**
 * Two fingers pan, zoom and turn. Each event tells of one finger, and both move in one frame: what they did together is applied once, as
 * soon as both have moved or the frame ends, so that the points under the fingers stay there.
 */
function addPinch(viewer: OpenSeadragon.Viewer): void {
  let touching = ""; // the two fingers
  let fingers: Fingers = [NOWHERE, NOWHERE]; // at the last event
  let pinch: Pinch | null = null; // what is not applied yet
  let twist = 0;
  let turning = false;

  const apply = (): void => {
    if (!pinch || !viewer.isOpen()) return;
    const { from, to, turned } = pinch;
    pinch = null;
    twist += turned;
    turning ||= Math.abs(twist) > FIRM;
    pinchView(viewer, from, to, turning ? turned : 0);
  };
  viewer.addHandler("canvas-pinch", (event) => {
    event.preventDefaultPanAction = event.preventDefaultZoomAction = true;
    const { pointerId } = event.originalEvent as PointerEvent;
    const [one, other] = event.gesturePoints as [OpenSeadragon.GesturePoint, OpenSeadragon.GesturePoint];
    const now: Fingers = [one.currentPos, other.currentPos];
    const pair = `${one.id} ${other.id}`;
    if (touching !== pair) {
      touching = pair;
      fingers = [
        one.id === pointerId ? one.lastPos : one.currentPos,
        other.id === pointerId ? other.lastPos : other.currentPos,
      ];
      twist = 0;
      turning = false;
    }
    const step = twistOf(fingers, now);
    fingers = now;
    const both = pinch !== null && pinch.finger !== pointerId;
    if (!pinch) requestAnimationFrame(apply);
    pinch = {
      finger: pointerId,
      from: pinch?.from ?? { centre: event.lastCenter, distance: event.lastDistance },
      to: { centre: event.center, distance: event.distance },
      turned: (pinch?.turned ?? 0) + step,
    };
    if (both) apply();
  });
  viewer.addHandler("canvas-release", () => {
    apply();
    touching = "";
    if (!turning) return;
    turning = false;
    const { viewport } = viewer;
    const right = 90 * Math.round(viewport.getRotation(false) / 90);
    if (Math.abs(viewport.getRotation(false) - right) < SNAP) viewport.rotateTo(right);
  });
}

/** Brings what lay under the fingers to where they are now, at once: a spring would still be on its way at the next event. */
function pinchView({ viewport }: OpenSeadragon.Viewer, from: Spread, to: Spread, degrees: number): void {
  const mirrored = viewport.getFlip();
  const under = ({ centre }: Spread): OpenSeadragon.Point => {
    const pixel = centre.clone();
    if (mirrored) pixel.x = viewport.getContainerSize().x - pixel.x;
    return viewport.pointFromPixel(pixel, true);
  };
  const held = under(from);
  const zoom = (viewport.getZoom(true) * to.distance) / from.distance;
  viewport.zoomTo(Math.min(viewport.getMaxZoom(), Math.max(viewport.getMinZoom(), zoom)), undefined, true);
  if (degrees !== 0) viewport.rotateTo(viewport.getRotation(true) + (mirrored ? -degrees : degrees), undefined, true);
  viewport.panBy(held.minus(under(to)), true);
  viewport.applyConstraints(true);
}

/** The middle button drags the slide, whatever the other buttons draw. */
function addMiddleDrag(viewer: OpenSeadragon.Viewer, slide: Extent): void {
  const { canvas } = viewer;
  let last: { readonly pointer: number; readonly at: OpenSeadragon.Point } | null = null;
  const at = ({ clientX, clientY }: PointerEvent): OpenSeadragon.Point => new OpenSeadragon.Point(clientX, clientY);
  canvas.addEventListener("mousedown", (event) => {
    if (event.button === MIDDLE) event.preventDefault(); // no scrolling by itself
  });
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== MIDDLE) return;
    last = { pointer: event.pointerId, at: at(event) };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (last?.pointer !== event.pointerId) return;
    const now = at(event);
    panByPixels(viewer, slide, now.minus(last.at));
    last = { ...last, at: now };
  });
  const end = (event: PointerEvent): void => {
    if (last?.pointer === event.pointerId && !(event.buttons & MIDDLE_DOWN)) last = null;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointermove", end);
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
