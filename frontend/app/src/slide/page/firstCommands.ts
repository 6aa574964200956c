/** Commands that are there from the first picture on: the microscope, the panels, the page. */
import { pageCommands } from "../../keyboard/commands";
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

/** These open dialogs, which are later parts. */
const DIALOGS = ["viewer.go-to", "page.palette", "page.keyboard-map"];

const direct = (list: readonly Command[]): readonly Command[] => list.filter(({ id }) => !DIALOGS.includes(id));

export const firstPreviewCommands = direct([...viewerCommands, ...pageCommands]);

export const firstCommands = direct([...viewerCommands, ...panelCommands, ...pageCommands]);
