/** Whether the dialog of a receipt is open, on the pages without a camera, and the command that opens it. */
import { createStore } from "zustand/vanilla";
import type { Command } from "../microscope/parts";
import { t } from "@wavescope/core/i18n/i18n";

export const receiptDialog = createStore<{ readonly open: boolean }>(() => ({ open: false }));

export function showReceipt(open: boolean): void {
  receiptDialog.setState({ open });
}

/** Opens a receipt by `show`. */
export const receiptCommand = (show: () => void): Command => ({
  id: "export.receipt",
  group: t("keyboard.export"),
  title: t("receipt.make"),
  keys: ["Alt+w"],
  run: show,
});
