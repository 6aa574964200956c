/** The part of the viewer that no panel covers: what is gone to is shown in its middle. A view (link, live session) is that of the whole viewer. */
import type { Region } from "@wavescope/core/geometry/field";
import type { Microscope } from "../core/microscope";
import { directionBack } from "../core/rotation";

const covers = new WeakMap<Microscope, HTMLElement>();

/** A panel lies over the right or the lower edge of the viewer; null: no more. */
export function coverWith(microscope: Microscope, panel: HTMLElement | null): void {
  if (panel) covers.set(microscope, panel);
  else covers.delete(microscope);
}

/** How much of the viewer's width and height is free, from its upper left corner on: 1 is all. */
export function freePart(microscope: Microscope): { readonly across: number; readonly down: number } {
  const panel = covers.get(microscope);
  if (!panel) return { across: 1, down: 1 };
  const { clientWidth, clientHeight } = microscope.viewer.element;
  const { offsetWidth, offsetHeight } = panel; // with its border
  return offsetWidth < clientWidth
    ? { across: 1 - offsetWidth / clientWidth, down: 1 }
    : { across: 1, down: 1 - offsetHeight / clientHeight };
}

/** The same part of a field, which is that of the whole viewer before it is turned by `rotation` degrees. */
export function freeField(microscope: Microscope, field: Region, rotation: number): Region {
  const { across, down } = freePart(microscope);
  if (across * down === 1) return field;
  const [l0_width, l0_height] = [across * field.l0_width, down * field.l0_height];
  const [hidden_x, hidden_y] = [field.l0_width - l0_width, field.l0_height - l0_height];
  const [x, y] = directionBack(rotation, microscope.viewer.viewport.getFlip(), -hidden_x / 2, -hidden_y / 2);
  return { l0_x: field.l0_x + hidden_x / 2 + x, l0_y: field.l0_y + hidden_y / 2 + y, l0_width, l0_height };
}
