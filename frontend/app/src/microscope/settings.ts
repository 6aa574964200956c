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
}

export const settings = storedState<Settings>("wavescope.settings", readSettings);

/** What is not known is as at first. */
export function readSettings({ wheel, tabHides, values }: Partial<Record<keyof Settings, unknown>>): Settings {
  return { wheel: wheel === "pan" ? "pan" : "zoom", tabHides: tabHides === true, values: values === true };
}

/** Follows the settings from now on. */
function apply({ wheel }: Settings): void {
  wheelMeaning.pans = wheel === "pan";
}

apply(settings.getState());
settings.subscribe(apply);
