/** The page itself: full screen, colours of the page, keyboard map, palette. */
import { spotlight } from "@mantine/spotlight";
import { PANEL_ELEMENT, showKeyboardMap } from "../microscope/panelState";
import { toggleFullScreen } from "../microscope/fullScreen";
import type { Command } from "../microscope/parts";
import { t } from "@wavescope/core/i18n/i18n";

const GROUP = t("keyboard.page");

/** Ours, so that the key does not mark every word of the page. */
function selectPanel(): void {
  const panel = document.getElementById(PANEL_ELEMENT);
  if (panel) getSelection()?.selectAllChildren(panel);
}

export const pageCommands: readonly Command[] = [
  { id: "page.full-screen", group: GROUP, title: t("keyboard.fullScreen"), keys: ["f"], run: toggleFullScreen },
  {
    id: "page.scheme",
    group: GROUP,
    title: t("keyboard.theme"),
    keys: ["Shift+d"],
    run: ({ toggleScheme }) => toggleScheme(),
  },
  {
    id: "page.viewer",
    group: GROUP,
    title: t("keyboard.goToPicture"),
    keys: ["Mod+Enter"],
    run: ({ container }) => container?.focus(),
  },
  { id: "page.select", group: GROUP, title: t("keyboard.selectPanelText"), keys: ["Mod+a"], run: selectPanel },
  {
    id: "page.palette",
    group: GROUP,
    title: t("keyboard.commandPalette"),
    keys: ["Mod+k"],
    run: () => spotlight.open(),
  },
  {
    id: "page.keyboard-map",
    group: GROUP,
    title: t("keyboard.shortcuts"),
    keys: ["?"],
    run: () => showKeyboardMap(true),
  },
];
