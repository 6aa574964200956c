import { pictureName } from "@wavescope/viewer/view/viewPicture";
import { takeReceipt } from "@wavescope/viewer/view/receipt/receipt";
import type { PartProps } from "../microscope/parts";
import { ReceiptForm } from "./ReceiptForm";

/** The receipt of one slide. */
export function ReceiptOfView({ microscope, manifest, onClose }: PartProps & { readonly onClose: () => void }) {
  return (
    <ReceiptForm
      manifests={[manifest]}
      name={pictureName(microscope).replace(/\.png$/, "")}
      take={async (whom) => takeReceipt(microscope, whom)}
      onClose={onClose}
    />
  );
}
