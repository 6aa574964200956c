/** Whether the dialog that asks where to go is open. */
import { createStore } from "zustand/vanilla";

export const goToDialog = createStore(() => ({ open: false }));

export function showGoTo(open: boolean): void {
  goToDialog.setState({ open });
}
