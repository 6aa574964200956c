/** The page itself: full screen, colours of the page, keyboard map, palette. */
import { spotlight } from "@mantine/spotlight";
import { PANEL_ELEMENT, showKeyboardMap } from "../microscope/panelState";
import { toggleFullScreen } from "../microscope/fullScreen";
import type { Command } from "../microscope/parts";

/** Ours, so that the key does not mark every word of the page. */
function selectPanel(): void {
  const panel = document.getElementById(PANEL_ELEMENT);
  if (panel) getSelection()?.selectAllChildren(panel);
}

export const comfortCommands: readonly Command[] = [
  { id: "page.full-screen", group: "Page", title: "Full screen on or off", keys: ["f"], run: toggleFullScreen },
  {
    id: "page.scheme",
    group: "Page",
    title: "Light or dark page",
    keys: ["Shift+d"],
    run: ({ toggleScheme }) => toggleScheme(),
  },
  {
    id: "page.stage",
    group: "Page",
    title: "Go to the picture",
    keys: ["Mod+Enter"],
    run: ({ stage }) => stage?.focus(),
  },
  { id: "page.select", group: "Page", title: "Select the text of the open panel", keys: ["Mod+a"], run: selectPanel },
  { id: "page.palette", group: "Page", title: "All commands", keys: ["Mod+k"], run: () => spotlight.open() },
  { id: "page.keyboard-map", group: "Page", title: "Keyboard map", keys: ["?"], run: () => showKeyboardMap(true) },
];
