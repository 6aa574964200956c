/** All side panels, in the order of their buttons: those of the first moment, and those that come later. */
import { IconStack2 } from "@tabler/icons-react";
import type { PartProps, SidePanelPart } from "../../microscope/parts";
import { later } from "../../ui/later/Later";
import { panels } from "./panels";
import { t } from "@wavescope/core/i18n/i18n";

const OverlaysPanel = later<PartProps>(async () => (await import("../overlays/OverlaysPanel")).OverlaysPanel, {
  ahead: true,
});

export const overlaysPanel: SidePanelPart = {
  id: "overlays",
  title: t("overlays.overlays"),
  icon: IconStack2,
  keys: ["v"],
  Panel: OverlaysPanel,
};

const place = panels.findIndex(({ id }) => id === "annotations") + 1;

export const allPanels: readonly SidePanelPart[] = panels.toSpliced(place, 0, overlaysPanel);
