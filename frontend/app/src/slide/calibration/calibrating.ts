/** Entering the scale of a slide whose file states none: whether it is being done, and the command that begins it. */
import { createStore } from "zustand/vanilla";
import { openAnnotations } from "@wavescope/viewer/annotate/annotations";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { showPanel } from "../../microscope/panelState";
import type { Command } from "../../microscope/parts";
import { t } from "@wavescope/core/i18n/i18n";

export const calibrating = createStore(() => ({ open: false }));

/** On a phone the side panel closes for it: there is no room for both. */
export function setCalibrating(open: boolean): void {
  if (open && matchMedia("(max-width: 700px)").matches) showPanel(null);
  calibrating.setState({ open });
}

/** What the file states is not replaced. */
export function mayCalibrate({ editable, preview, scale, mpp }: Manifest): boolean {
  return editable && !preview && (mpp === null || scale?.origin === "entered");
}

export const calibrationCommands: readonly Command[] = [
  {
    id: "calibration.open",
    group: t("keyboard.zoom"),
    title: t("calibration.calibrateHint"),
    keys: [],
    available: ({ manifest }) => mayCalibrate(manifest),
    run: ({ microscope }) => {
      openAnnotations(microscope)?.store.set({ tool: null, draft: null });
      setCalibrating(true);
    },
  },
];
