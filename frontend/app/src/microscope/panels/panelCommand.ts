import type { Command, SidePanelPart } from "../parts";
import { togglePanel } from "../panelState";
import { t } from "@wavescope/core/i18n/i18n";

/** Opens and closes a side panel. */
export const panelCommand = ({ id, title, keys }: SidePanelPart): Command => ({
  id: `panel.${id}`,
  group: t("keyboard.panels"),
  title,
  keys,
  run: () => togglePanel(id),
});
