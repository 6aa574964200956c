/** Between the picture's own coordinates and the screen's, however the slide is turned. */
import OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";

export interface ScreenPoint {
  readonly css_x: number;
  readonly css_y: number;
}

/** Where a level-0 point lies in the element of the viewer, in CSS pixels. */
export function onScreen(microscope: Microscope, l0_x: number, l0_y: number): ScreenPoint {
  const { canvas_x, canvas_y } = microscope.toCanvas(l0_x, l0_y);
  const ratio = OpenSeadragon.pixelDensityRatio;
  return { css_x: canvas_x / ratio, css_y: canvas_y / ratio };
}

/** The level-0 point under a point of the element of the viewer: the inverse. */
export function underScreen(microscope: Microscope, { css_x, css_y }: ScreenPoint): { l0_x: number; l0_y: number } {
  const origin = onScreen(microscope, 0, 0);
  const across = onScreen(microscope, 1000, 0);
  const down = onScreen(microscope, 0, 1000);
  const [a, b] = [(across.css_x - origin.css_x) / 1000, (down.css_x - origin.css_x) / 1000];
  const [c, d] = [(across.css_y - origin.css_y) / 1000, (down.css_y - origin.css_y) / 1000];
  const [x, y] = [css_x - origin.css_x, css_y - origin.css_y];
  const area = a * d - b * c;
  return { l0_x: (d * x - b * y) / area, l0_y: (a * y - c * x) / area };
}
