/** A view as the messages of a session hold it. */
import type { ViewEntry } from "@wavescope/core/session/state";
import { entriesIn } from "@wavescope/core/tiles/channels/mixEntries";
import type { View } from "@wavescope/viewer/view/view";

/** So many channels of a mix fit into 1 KiB with all other adjustments. */
const MOST_CHANNELS = 20;

/** A mix of more channels is left out: members see that of the slide (CM8). */
export function sharedView(view: View): ViewEntry["view"] {
  const all = Object.entries(view.adjustments ?? {});
  const mix = entriesIn(view.adjustments ?? {});
  const fits = Object.keys(mix).length <= MOST_CHANNELS;
  const kept = all.filter(([name]) => fits || !(name in mix));
  return {
    ...view,
    adjustments: kept.length > 0 ? (Object.fromEntries(kept) as ViewEntry["view"]["adjustments"]) : null,
  };
}
