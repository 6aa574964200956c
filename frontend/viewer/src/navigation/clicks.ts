/** Clicks on the picture that mean a position and nothing else: however long the button was held, as long as it was held still. */
import type OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { type ScreenPoint, underScreen } from "./pointing";

/** Farther than this, in CSS pixels, the picture was dragged. */
const STILL = 5;

/** Passes on every click, without zooming, until the returned function is called. */
export function handleClicks(microscope: Microscope, onClick: (at: ScreenPoint) => void): () => void {
  const { viewer } = microscope;
  let pressed: OpenSeadragon.Point | null = null;
  const press = (event: OpenSeadragon.CanvasPressEvent): void => {
    pressed = event.position;
  };
  const click = (event: OpenSeadragon.CanvasClickEvent): void => {
    if (!pressed || pressed.distanceTo(event.position) > STILL) return;
    event.preventDefaultAction = true;
    onClick({ css_x: event.position.x, css_y: event.position.y });
  };
  const twice = (event: OpenSeadragon.CanvasDoubleClickEvent): void => {
    event.preventDefaultAction = true;
  };
  viewer.addHandler("canvas-press", press);
  viewer.addHandler("canvas-click", click);
  viewer.addHandler("canvas-double-click", twice);
  return () => {
    viewer.removeHandler("canvas-press", press);
    viewer.removeHandler("canvas-click", click);
    viewer.removeHandler("canvas-double-click", twice);
  };
}

/** Passes on every click as a point of the slide, with the matching pointer, until the returned function is called. */
export function pickPositions(
  microscope: Microscope,
  onPick: (spot: { l0_x: number; l0_y: number }) => void,
): () => void {
  const { dataset } = microscope.viewer.element;
  const stop = handleClicks(microscope, (at) => onPick(underScreen(microscope, at)));
  dataset.picking = "true";
  return () => {
    stop();
    dataset.picking = "false";
  };
}
