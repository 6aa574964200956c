/** Whether the settings are open. */
import { createStore } from "zustand/vanilla";

export const settingsDialog = createStore<{ readonly open: boolean }>(() => ({ open: false }));

export function showSettings(open: boolean): void {
  settingsDialog.setState({ open });
}
