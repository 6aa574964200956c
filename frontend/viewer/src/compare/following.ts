/** One microscope set to where another is at this very moment: no animation, no limits of its own. */
import OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { type ViewLink, turned } from "../core/viewLink";

/** Where a microscope is in this frame, on the way to wherever it is being moved. */
export function readNow(microscope: Microscope): ViewLink {
  const { region, scale } = microscope.reading(true);
  const { viewport } = microscope.viewer;
  return {
    l0_x: region.l0_x + region.l0_width / 2,
    l0_y: region.l0_y + region.l0_height / 2,
    scale,
    rotation: turned(viewport.getRotation(true)),
    flip: viewport.getFlip(),
    plane: microscope.plane,
    adjustments: null,
  };
}

/** Moves the viewer to any position; plane and adjustments stay. */
export function putAt(microscope: Microscope, { l0_x, l0_y, scale, rotation, flip }: ViewLink): void {
  const { viewport } = microscope.viewer;
  const { width } = microscope.pyramid;
  viewport.setFlip(flip);
  viewport.rotateTo(rotation, undefined, true);
  viewport.zoomTo((viewport.getZoom(true) * scale) / microscope.reading(true).scale, undefined, true);
  viewport.panTo(new OpenSeadragon.Point(l0_x / width, l0_y / width), true);
}

/** Draws at once what else would be drawn in the next frame. */
export function drawNow(microscope: Microscope): void {
  const { viewer } = microscope;
  viewer.world.update(true);
  viewer.world.draw();
  viewer.raiseEvent("update-viewport", {}); // as OpenSeadragon does: others look at what was drawn
}
