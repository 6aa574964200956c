import { useSyncExternalStore } from "react";
import type { Microscope } from "../../viewer/core/microscope";
import { onScreen } from "../../viewer/navigation/pointing";

/** Renders anew whenever the picture is drawn elsewhere or otherwise. */
export function useDrawn(scope: Microscope): void {
  useSyncExternalStore(
    (changed) => {
      scope.viewer.addHandler("update-viewport", changed);
      return () => scope.viewer.removeHandler("update-viewport", changed);
    },
    () => {
      const { css_x, css_y } = onScreen(scope, 0, 0);
      const far = onScreen(scope, 1000, 1000);
      return `${css_x} ${css_y} ${far.css_x} ${far.css_y}`;
    },
  );
}
