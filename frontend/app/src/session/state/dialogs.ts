/** Which dialog of the session is open. */
import { createStore } from "zustand/vanilla";

export type SessionDialog = "start" | "share" | "end" | null;

export const dialogs = createStore<{ readonly open: SessionDialog }>(() => ({ open: null }));

export function showDialog(open: SessionDialog): void {
  dialogs.setState({ open });
}
