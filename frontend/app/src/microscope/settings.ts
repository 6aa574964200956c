/** What the user chose for every slide of this browser (PG84). */
import { wheel as wheelMeaning } from "@wavescope/viewer/navigation/gestures";
import { storedState } from "../state/stored";

export interface Settings {
  /** What a wheel, or two fingers on a trackpad, do. A pinch always zooms. */
  readonly wheel: "zoom" | "pan";
  /** Whether Tab on the picture hides and shows the controls; otherwise it moves the focus, as everywhere. */
  readonly tabHides: boolean;
  /** Whether the status line has the samples and the amounts of stains under the pointer. */
  readonly values: boolean;
  /** When changes of the view are said to screen readers: after moves by keys while the picture has the focus, always, never (PG108). */
  readonly spoken: "keys" | "always" | "never";
}

export const settings = storedState<Settings>("wavescope.settings", readSettings);

/** What is not known is as at first. */
export function readSettings({ wheel, tabHides, values, spoken }: Partial<Record<keyof Settings, unknown>>): Settings {
  return {
    wheel: wheel === "pan" ? "pan" : "zoom",
    tabHides: tabHides === true,
    values: values === true,
    spoken: spoken === "always" || spoken === "never" ? spoken : "keys",
  };
}

/** Follows the settings from now on. */
function apply({ wheel }: Settings): void {
  wheelMeaning.pans = wheel === "pan";
}

apply(settings.getState());
settings.subscribe(apply);
