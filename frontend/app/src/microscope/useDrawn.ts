import { useSyncExternalStore } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { onScreen } from "@wavescope/viewer/navigation/pointing";

/** Renders anew whenever the picture is drawn elsewhere or otherwise. */
export function useDrawn(microscope: Microscope): void {
  useSyncExternalStore(
    (changed) => {
      microscope.viewer.addHandler("update-viewport", changed);
      return () => microscope.viewer.removeHandler("update-viewport", changed);
    },
    () => {
      const { css_x, css_y } = onScreen(microscope, 0, 0);
      const far = onScreen(microscope, 1000, 1000);
      return `${css_x} ${css_y} ${far.css_x} ${far.css_y}`;
    },
  );
}
