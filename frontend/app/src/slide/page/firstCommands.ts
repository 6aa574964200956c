/** Commands that are there from the first picture on: the microscope and the panels. */
import type { Command, SidePanelPart } from "../../microscope/parts";
import { viewerCommands } from "../../microscope/navigation/commands";
import { togglePanel } from "../../microscope/panelState";
import { panels } from "./panels";
import { t } from "@wavescope/core/i18n/i18n";

export const panelCommand = ({ id, title, keys }: SidePanelPart): Command => ({
  id: `panel.${id}`,
  group: t("keyboard.panels"),
  title,
  keys,
  run: () => togglePanel(id),
});

export const panelCommands: readonly Command[] = panels.map(panelCommand);

export const firstPreviewCommands = viewerCommands;

export const firstCommands: readonly Command[] = [...viewerCommands, ...panelCommands];
