/** How the pages look in this browser: sizes for fingers (PG86), density (PG87). */
import { storedState } from "../state/stored";
import { setTouch } from "./touch";

export interface Appearance {
  /** Whether controls are as large as fingers need: as the pointer is, always, never. */
  readonly touch: "auto" | "on" | "off";
  /** Spacing and heights of rows (density.css). */
  readonly density: "comfortable" | "compact";
}

export const appearance = storedState<Appearance>("wavescope.appearance", readAppearance);

/** What is not known is as at first. */
export function readAppearance({ touch, density }: Partial<Record<keyof Appearance, unknown>>): Appearance {
  return {
    touch: touch === "on" || touch === "off" ? touch : "auto",
    density: density === "compact" ? density : "comfortable",
  };
}

/** Follows the choice from now on. */
function apply({ touch, density }: Appearance): void {
  document.documentElement.dataset.density = density;
  setTouch(touch);
  dispatchEvent(new Event("resize")); // what measures the page measures it again
}

apply(appearance.getState());
appearance.subscribe(apply);
