/** Overlays by keys. */
import { t } from "@wavescope/core/i18n/i18n";
import type { Command } from "../../microscope/parts";
import { openOverlays } from "./useOverlays";

export const overlayCommands: readonly Command[] = [
  {
    id: "overlays.toggle",
    group: t("overlays.overlays"),
    title: t("overlays.toggleAll"),
    keys: ["Shift+y"],
    run: ({ microscope }) => {
      const { overlays } = openOverlays(microscope);
      overlays.toggleAll();
    },
  },
];
