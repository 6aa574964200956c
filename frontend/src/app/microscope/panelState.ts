/** What lies open around the picture: the side panel and the keyboard map. Remembered as long as the tab lives; without React. */
import { createStore } from "zustand/vanilla";

export interface PanelState {
  /** Id of the open side panel. */
  readonly panel: string | null;
  readonly keyboardMap: boolean;
  /** Whether letters and signs are commands wherever the focus is, or (for users of voice control) only on the picture. */
  readonly keysEverywhere: boolean;
}

const PANEL = "wavescope.panel";
const KEYS_EVERYWHERE = "wavescope.keysEverywhere";

export const panelState = createStore<PanelState>(() => ({
  panel: read(() => sessionStorage.getItem(PANEL)),
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
