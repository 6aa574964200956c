/** What lies open around the picture: the side panel, the overview and the keyboard map. Without React. */
import { createStore } from "zustand/vanilla";

export interface PanelState {
  /** Id of the open side panel. */
  readonly panel: string | null;
  /** Whether the overview is unfolded. */
  readonly overview: boolean;
  readonly keyboardMap: boolean;
  /** Whether letters and signs are commands wherever the focus is, or (for users of voice control) only on the picture. */
  readonly keysEverywhere: boolean;
}

const PANEL = "wavescope.panel";
const OVERVIEW = "wavescope.overview";
const KEYS_EVERYWHERE = "wavescope.keysEverywhere";

export const panelState = createStore<PanelState>(() => ({
  panel: read(() => sessionStorage.getItem(PANEL)),
  overview: read(() => localStorage.getItem(OVERVIEW)) !== "folded",
  keyboardMap: false,
  keysEverywhere: read(() => localStorage.getItem(KEYS_EVERYWHERE)) !== "no",
}));

export function togglePanel(id: string): void {
  showPanel(panelState.getState().panel === id ? null : id);
}

/** Opens a side panel in place of any other; null closes it. */
export function showPanel(panel: string | null): void {
  panelState.setState({ panel });
  write(() => (panel === null ? sessionStorage.removeItem(PANEL) : sessionStorage.setItem(PANEL, panel)));
}

/** Folds or unfolds the overview, here and on the pages opened later. */
export function toggleOverview(): void {
  const overview = !panelState.getState().overview;
  panelState.setState({ overview });
  write(() => (overview ? localStorage.removeItem(OVERVIEW) : localStorage.setItem(OVERVIEW, "folded")));
}

export function showKeyboardMap(keyboardMap: boolean): void {
  panelState.setState({ keyboardMap });
}

export function setKeysEverywhere(keysEverywhere: boolean): void {
  panelState.setState({ keysEverywhere });
  write(() => localStorage.setItem(KEYS_EVERYWHERE, keysEverywhere ? "yes" : "no"));
}

/** Browsers may forbid storage: then nothing is remembered. */
function read(get: () => string | null): string | null {
  try {
    return get();
  } catch {
    return null;
  }
}

function write(set: () => void): void {
  try {
    set();
  } catch {
    return;
  }
}

/** The id of the open panel's element. */
export const PANEL_ELEMENT = "side-panel";
