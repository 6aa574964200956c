import { paneName } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { takeComparisonReceipt } from "@wavescope/viewer/compare/receipt";
import { ReceiptForm } from "../receipt/ReceiptForm";
import { showReceipt } from "../receipt/dialog";

/** The receipt of all slides in view. */
export function ReceiptOfComparison({ comparison }: { readonly comparison: Comparison }) {
  const manifests = comparison.microscopes.map(({ manifest }) => manifest);
  return (
    <ReceiptForm
      manifests={manifests}
      name={manifests.map(({ id }, pane) => `${paneName(pane)}-${id}`).join("-")}
      take={async (whom) => takeComparisonReceipt(comparison, whom)}
      onClose={() => showReceipt(false)}
    />
  );
}
