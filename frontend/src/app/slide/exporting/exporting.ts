/** Whether the export dialog is open, and the export that was begun last: it goes on when the dialog is closed. */
import { createStore } from "zustand/vanilla";
import type { Command } from "../parts";

export const exporting = createStore<{ readonly open: boolean; readonly begun: string | null }>(() => ({ open: false, begun: null }));

export function showExporting(open: boolean): void {
  exporting.setState({ open });
}

export function followExport(begun: string | null): void {
  exporting.setState({ begun });
}

export const exportCommands: readonly Command[] = [
  { id: "export.region", group: "Export", title: "Export a region as a file", keys: ["Shift+e"], run: () => showExporting(true) },
];
