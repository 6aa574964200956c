/** A view as the messages of a session hold it. */
import type { ViewEntry } from "@wavescope/core/session/state";
import type { View } from "@wavescope/viewer/view/view";

export const sharedView = (view: View): ViewEntry["view"] => ({
  ...view,
  adjustments: view.adjustments as ViewEntry["view"]["adjustments"],
});
