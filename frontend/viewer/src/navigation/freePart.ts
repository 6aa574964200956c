/** The part of the viewer that no panel covers: what is gone to is shown in its middle. A view (link, live session) is that of the whole viewer. */
import type { Microscope } from "../core/microscope";

const covers = new WeakMap<Microscope, Element>();

/** A panel lies over the right or the lower edge of the viewer; null: no more. */
export function coverWith(microscope: Microscope, panel: Element | null): void {
  if (panel) covers.set(microscope, panel);
  else covers.delete(microscope);
}

/** How much of the viewer's width and height is free, from its upper left corner on: 1 is all. */
export function freePart(microscope: Microscope): { readonly across: number; readonly down: number } {
  const panel = covers.get(microscope);
  if (!panel) return { across: 1, down: 1 };
  const { clientWidth, clientHeight } = microscope.viewer.element;
  return panel.clientWidth < clientWidth
    ? { across: 1 - panel.clientWidth / clientWidth, down: 1 }
    : { across: 1, down: 1 - panel.clientHeight / clientHeight };
}
