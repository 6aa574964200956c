import type { Microscope } from "@wavescope/viewer/core/microscope";
import { later } from "../ui/later/Later";

/** Few slides have several planes: its code comes with the first one. */
const FocusSteps = later(async () => (await import("./focus/FocusSteps")).FocusSteps);

/** The fine focus. */
export function FocusSlider({ microscope }: { readonly microscope: Microscope }) {
  return microscope.manifest.planes < 2 ? null : <FocusSteps microscope={microscope} />;
}
