/** The page in a frame of another page: both send messages (SH23). */
import type { Microscope } from "../../viewer/core/microscope";
import { readViewLink, showViewLink } from "../../viewer/view/view";
import { MESSAGE, requestedView } from "./messages";

/** Speaks with the page around this one, if there is one, until the returned function is called. */
export function speakWithParent(scope: Microscope): () => void {
  if (window.parent === window) return () => undefined;
  const send = (message: object): void => window.parent.postMessage(message, "*"); // what it says, the page around shows
  const { id, title, width, height, planes } = scope.manifest;
  const listen = (event: MessageEvent): void => {
    const view = event.source === window.parent ? requestedView(event.data) : null;
    if (view) showViewLink(scope, { ...readViewLink(scope), ...view }, true);
  };
  const moved = (): void => {
    const { l0_x, l0_y, scale, rotation, flip, plane } = readViewLink(scope);
    send({ type: MESSAGE.view, view: { l0_x, l0_y, scale, rotation, flip, plane } });
  };
  addEventListener("message", listen);
  scope.viewer.addHandler("animation-finish", moved);
  send({ type: MESSAGE.ready, slide: { id, title, width, height, planes } });
  return () => {
    removeEventListener("message", listen);
    scope.viewer.removeHandler("animation-finish", moved);
  };
}
