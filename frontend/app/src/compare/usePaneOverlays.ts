import { useEffect } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { lightOf } from "@wavescope/viewer/light/light";

/** Shows the overlays that the view of a pane has (OV63). Their code is loaded with the first view that has some. */
export function usePaneOverlays(microscope: Microscope | undefined): void {
  useEffect(() => {
    if (!microscope) return;
    let asked = false;
    let ended = false;
    const { state } = lightOf(microscope);
    const load = (): void => {
      if (asked || !state.getState().adjustments.overlays) return;
      asked = true;
      import("@wavescope/viewer/overlays/overlays").then(
        ({ overlaysOf }) => (ended ? undefined : overlaysOf(microscope).load()),
        () => (asked = false), // the slides are still compared; the next view tries again
      );
    };
    load();
    const unsubscribe = state.subscribe(load);
    return () => {
      ended = true;
      unsubscribe();
    };
  }, [microscope]);
}
