/** A view as the messages of a session hold it. */
import type { ViewEntry } from "@wavescope/core/session/state";
import type { View } from "@wavescope/viewer/view/view";

/** Adjustments that come from microscopes fit, with a mix of all channels (CM8). */
export function sharedView(view: View): ViewEntry["view"] {
  return { ...view, adjustments: view.adjustments as ViewEntry["view"]["adjustments"] };
}
