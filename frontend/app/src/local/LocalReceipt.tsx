import type { PartProps } from "../microscope/parts";
import { ReceiptDialog } from "../receipt/ReceiptDialog";
import { showReceipt } from "../receipt/dialog";
import { later } from "../ui/later/Later";

const ReceiptOfView = later(async () => (await import("../receipt/ReceiptOfView")).ReceiptOfView);

/** The receipt of a file of this computer. */
export function LocalReceipt(props: PartProps) {
  return (
    <ReceiptDialog>
      <ReceiptOfView {...props} onClose={() => showReceipt(false)} />
    </ReceiptDialog>
  );
}
