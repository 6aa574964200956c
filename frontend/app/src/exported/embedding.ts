/** The page in a frame of another page: both send messages (SH23). */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { readViewLink, showViewLink } from "@wavescope/viewer/view/view";
import { MESSAGE, requestedView } from "./messages";

/** Speaks with the page around this one, if there is one, until the returned function is called. */
export function connectToParent(microscope: Microscope): () => void {
  if (window.parent === window) return () => undefined;
  const send = (message: object): void => window.parent.postMessage(message, "*"); // what it says, the page around shows
  const { id, title, width, height, planes } = microscope.manifest;
  const listen = (event: MessageEvent): void => {
    const view = event.source === window.parent ? requestedView(event.data) : null;
    if (view) showViewLink(microscope, { ...readViewLink(microscope), ...view }, true);
  };
  const moved = (): void => {
    const { l0_x, l0_y, scale, rotation, flip, plane } = readViewLink(microscope);
    send({ type: MESSAGE.view, view: { l0_x, l0_y, scale, rotation, flip, plane } });
  };
  addEventListener("message", listen);
  microscope.viewer.addHandler("animation-finish", moved);
  send({ type: MESSAGE.ready, slide: { id, title, width, height, planes } });
  return () => {
    removeEventListener("message", listen);
    microscope.viewer.removeHandler("animation-finish", moved);
  };
}
