/** Whether the camera is open, and for what; and the export that was begun last: it goes on when the dialog is closed. */
import { createStore } from "zustand/vanilla";
import type { ArchiveRequest, ExportRequest } from "@wavescope/core/wire/catalog/exportsClient";
import { type Manifest, allows } from "@wavescope/core/wire/slides/manifest";
import type { Command } from "../../microscope/parts";
import { receiptCommand } from "../../receipt/dialog";
import { t } from "@wavescope/core/i18n/i18n";

/** An export that this page has begun, and how to begin it again. */
export interface StartedExport {
  readonly id: string;
  readonly manifest: Manifest;
  readonly request: ExportRequest | ArchiveRequest;
}

/** What the camera saves: the view as it is shown, a receipt of it, a region of the slide, the whole slide as an archive. */
export type Saved = "view" | "receipt" | "region" | "archive";

export const exporting = createStore<{ readonly open: Saved | null; readonly started: StartedExport | null }>(() => ({
  open: null,
  started: null,
}));

/** Opens the camera; null closes it. */
export function showCamera(open: Saved | null): void {
  exporting.setState({ open });
}

export function followExport(started: StartedExport | null): void {
  exporting.setState({ started });
}

/** In the camera. */
export const receiptOfView: Command = receiptCommand(() => showCamera("receipt"));

export const exportCommands: readonly Command[] = [
  {
    id: "export.region",
    group: t("keyboard.export"),
    title: t("exporting.exportRegionAsFile"),
    keys: ["Shift+e"],
    available: ({ manifest }) => allows(manifest, "export"),
    run: () => showCamera("region"),
  },
  { ...receiptOfView, available: ({ manifest }) => !manifest.preview },
];
