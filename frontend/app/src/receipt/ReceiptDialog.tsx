import type { ReactNode } from "react";
import { useStore } from "zustand";
import { receiptDialog, showReceipt } from "./dialog";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

/** A receipt where there is no camera. */
export function ReceiptDialog({ children }: { readonly children: ReactNode }) {
  const { open } = useStore(receiptDialog);
  return (
    <Dialog opened={open} onClose={() => showReceipt(false)} title={t("receipt.make")} centered>
      {children}
    </Dialog>
  );
}
