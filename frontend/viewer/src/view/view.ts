/**
 * What is looked at, as one plain value: for links, bookmarks, tours, slides side by side and shared sessions.
 *
 * A `View` holds the field in level-0 pixels, so that screens of other sizes show (at least) the same tissue; a `ViewLink` (viewLink.ts)
 * holds the scale instead, so that other screens show the same magnification.
 */
import OpenSeadragon from "openseadragon";
import { parseAdjustments, changedOf } from "../light/adjustments";
import { readLight, setLight } from "../light/light";
import type { Microscope } from "../core/microscope";
import { type ViewLink, turned } from "../core/viewLink";

export interface View extends Omit<ViewLink, "scale"> {
  /** The extent of the field along the screen's own axes, that is before the slide is turned. */
  readonly l0_width: number;
  readonly l0_height: number;
}

/** What is looked at, or being moved to. */
export function readView(microscope: Microscope): View {
  const { region } = microscope.reading(false);
  return { ...spotOf(microscope), l0_width: region.l0_width, l0_height: region.l0_height };
}

/** Shows a view: all of its field, and more where this screen has another shape. */
export function showView(microscope: Microscope, view: View, immediately = false): void {
  const { region, scale } = microscope.reading(false);
  const fitting = Math.min(region.l0_width / view.l0_width, region.l0_height / view.l0_height);
  showViewLink(microscope, { ...view, scale: scale * fitting }, immediately);
}

export function readViewLink(microscope: Microscope): ViewLink {
  return { ...spotOf(microscope), scale: microscope.reading(false).scale };
}

/** Shows a view at its scale. What lies beyond the slide or the nearest view is brought back within. */
export function showViewLink(microscope: Microscope, viewLink: ViewLink, immediately = false): void {
  const { viewport } = microscope.viewer;
  const now = microscope.reading(false).scale;
  viewport.setFlip(viewLink.flip);
  viewport.rotateTo(viewLink.rotation, undefined, immediately);
  viewport.zoomTo((viewport.getZoom(false) * viewLink.scale) / now, undefined, immediately);
  viewport.panTo(
    new OpenSeadragon.Point(viewLink.l0_x / microscope.pyramid.width, viewLink.l0_y / microscope.pyramid.width),
    immediately,
  );
  viewport.applyConstraints(immediately);
  microscope.setPlane(viewLink.plane);
  if (immediately) microscope.jumped();
  setLight(microscope, parseAdjustments(viewLink.adjustments));
}

function spotOf(microscope: Microscope): Omit<ViewLink, "scale"> {
  const { region } = microscope.reading(false);
  const { viewport } = microscope.viewer;
  return {
    l0_x: region.l0_x + region.l0_width / 2,
    l0_y: region.l0_y + region.l0_height / 2,
    rotation: turned(viewport.getRotation(false)),
    flip: viewport.getFlip(),
    plane: microscope.plane,
    adjustments: changedOf(readLight(microscope)),
  };
}
