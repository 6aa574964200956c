/** What stays where it is when the picture gets another size. */
import OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { directionBack } from "../core/rotation";

/**
 * Where the page makes space for something of its own (a panel opens or closes), the slide stays where it is on the screen: what the user
 * looks at does not jump. Where the window changes, the centre of the view stays, as OpenSeadragon does it; also before the user has done
 * anything, while the page arranges itself: else a panel that is open already would move the view with every reload; and in a live session,
 * whose members see the same centre. Until what it gives is called. `user`: where presses arrive.
 */
export function holdStill({ viewer, state }: Microscope, user: EventTarget = window): () => void {
  let touched = false;
  const touch = (): void => {
    touched = true;
  };
  for (const press of PRESSES) user.addEventListener(press, touch, { capture: true, once: true });
  let before = viewer.viewport.getContainerSize();
  let middle = middleOf(viewer.element);
  let page = pageSize();
  let shift: OpenSeadragon.Point | null = null;
  const resized = (): void => {
    const [now, pageNow] = [viewer.viewport.getContainerSize(), pageSize()];
    const middleNow = middleOf(viewer.element);
    shift = touched && !state.getState().shared && pageNow === page ? middleNow.minus(middle) : null;
    [before, page, middle] = [now, pageNow, middleNow];
  };
  const zoomed = (): void => {
    if (!shift) return;
    const { viewport } = viewer;
    const [across, down] = directionBack(viewport.getRotation(true), viewport.getFlip(), shift.x, shift.y);
    shift = null;
    const perPixel = viewport.getBoundsNoRotate(true).width / before.x;
    const centre = viewport.getCenter(true);
    viewport.panTo(new OpenSeadragon.Point(centre.x + across * perPixel, centre.y + down * perPixel), true);
  };
  viewer.addHandler("after-resize", resized); // OpenSeadragon then moves to the centre of before, and zooms last
  viewer.addHandler("zoom", zoomed);
  return () => {
    viewer.removeHandler("after-resize", resized);
    viewer.removeHandler("zoom", zoomed);
    for (const press of PRESSES) user.removeEventListener(press, touch, { capture: true });
  };
}

/** On the page, in CSS pixels. */
function middleOf(element: Element): OpenSeadragon.Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return new OpenSeadragon.Point(left + width / 2, top + height / 2);
}

const PRESSES = ["pointerdown", "keydown"];
const pageSize = (): string => `${innerWidth} ${innerHeight}`;
