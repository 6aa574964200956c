/** What the user chose for every slide of this browser (PG84). */
import { createStore } from "zustand/vanilla";
import { wheel as wheelMeaning } from "@wavescope/viewer/navigation/gestures";

export interface Settings {
  /** What a wheel, or two fingers on a trackpad, do. A pinch always zooms. */
  readonly wheel: "zoom" | "pan";
  /** Whether Tab on the picture hides and shows the controls; otherwise it moves the focus, as everywhere. */
  readonly tabHides: boolean;
  /** Whether the status line has the samples and the amounts of stains under the pointer. */
  readonly values: boolean;
}

const STORED = "wavescope.settings";
export const FIRST_SETTINGS: Settings = { wheel: "zoom", tabHides: false, values: false };

export const settings = createStore<Settings>(() => {
  try {
    return parseSettings(localStorage.getItem(STORED));
  } catch {
    return FIRST_SETTINGS;
  }
});

export function setSettings(changes: Partial<Settings>): void {
  settings.setState(changes);
  try {
    localStorage.setItem(STORED, JSON.stringify(settings.getState()));
  } catch {
    return; // browsers may forbid storage: then they live as long as the page
  }
}

/** What a browser has stored; what is not known is as at first. */
export function parseSettings(text: string | null): Settings {
  try {
    const { wheel, tabHides, values } = JSON.parse(text ?? "{}") as Partial<Record<keyof Settings, unknown>>;
    return {
      wheel: wheel === "pan" ? "pan" : "zoom",
      tabHides: tabHides === true,
      values: values === true,
    };
  } catch {
    return FIRST_SETTINGS;
  }
}

/** Follows the settings from now on. */
function apply({ wheel }: Settings): void {
  wheelMeaning.pans = wheel === "pan";
}

apply(settings.getState());
settings.subscribe(apply);
