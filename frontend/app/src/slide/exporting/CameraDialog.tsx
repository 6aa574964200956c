import { SegmentedControl, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useStore } from "zustand";
import {
  type ArchiveRequest,
  type ExportRequest,
  startArchive,
  startExport,
} from "@wavescope/core/wire/catalog/exportsClient";
import { type Manifest, allows } from "@wavescope/core/wire/slides/manifest";
import type { PartProps } from "../../microscope/parts";
import { ArchiveForm } from "./ArchiveForm";
import { ExportProgress } from "./ExportProgress";
import { type Saved, exporting, followExport } from "./exporting";
import { RegionForm } from "./RegionForm";
import { ViewForm } from "./ViewForm";
import { later } from "../../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

const ReceiptOfView = later(async () => (await import("../../receipt/ReceiptOfView")).ReceiptOfView);

const OF_VIEW: { value: Saved; label: string }[] = [
  { value: "view", label: t("exporting.ofView") },
  { value: "receipt", label: t("receipt.receipt") },
];
const OF_SLIDE: { value: Saved; label: string }[] = [
  { value: "region", label: t("exporting.ofRegion") },
  { value: "archive", label: t("exporting.archive") },
];

interface Props extends PartProps {
  readonly first: Saved;
  readonly onClose: () => void;
}

/** The view as it is shown, a receipt of it, a region of the slide, or all of it, as a file. */
export function CameraDialog({ first, onClose, ...props }: Props) {
  const { manifest } = props;
  const mayExport = allows(manifest, "export") && !manifest.preview;
  const choices = mayExport ? [...OF_VIEW, ...OF_SLIDE] : OF_VIEW;
  const [what, setWhat] = useState<Saved>(choices.some(({ value }) => value === first) ? first : "view");
  const start = useMutation({
    mutationFn: ({ slide, request }: { slide: Manifest; request: ExportRequest | ArchiveRequest }) =>
      "format" in request ? startExport(slide, request) : startArchive(slide, request),
    onSuccess: ({ id }, { slide, request }) => followExport({ id, manifest: slide, request }),
  });
  const started = useStore(exporting, (state) => state.started);
  const form = {
    ...props,
    onClose,
    onStart: (request: ExportRequest | ArchiveRequest) => start.mutate({ slide: manifest, request }),
    starting: start.isPending,
    failure: start.error,
  };
  return (
    <Dialog opened onClose={onClose} title={t("exporting.camera")} centered>
      <Stack gap="sm">
        {!manifest.preview && (
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={t("exporting.what")}
            data={choices}
            value={what}
            onChange={setWhat}
          />
        )}
        {what === "view" ? (
          <ViewForm {...props} onClose={onClose} />
        ) : what === "receipt" ? (
          <ReceiptOfView {...props} onClose={onClose} />
        ) : started !== null ? (
          <ExportProgress
            key={started.id}
            id={started.id}
            onClose={onClose}
            onOther={() => followExport(null)}
            onAgain={() => start.mutate({ slide: started.manifest, request: started.request })}
            failure={start.error}
          />
        ) : what === "region" ? (
          <RegionForm {...form} />
        ) : (
          <ArchiveForm {...form} />
        )}
      </Stack>
    </Dialog>
  );
}
