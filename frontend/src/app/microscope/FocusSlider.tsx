import type { Microscope } from "../../viewer/core/microscope";
import { later } from "../ui/later/Later";

/** Few slides have several planes: its code comes with the first one. */
const FocusSteps = later(async () => (await import("./FocusSteps")).FocusSteps);

/** The fine focus. */
export function FocusSlider({ scope }: { readonly scope: Microscope }) {
  return scope.manifest.planes < 2 ? null : <FocusSteps scope={scope} />;
}
