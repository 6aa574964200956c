/** A view as the messages of a session hold it. */
import type { ViewEntry } from "../../../session/state";
import type { View } from "../../../viewer/view/view";

export const sharedView = (view: View): ViewEntry["view"] => ({
  ...view,
  adjustments: view.adjustments as ViewEntry["view"]["adjustments"],
});
