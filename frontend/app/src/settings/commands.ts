/** The settings, and what hides the controls. */
import type { Command, SlideContext } from "../microscope/parts";
import { settings } from "../microscope/settings";
import { showSettings } from "./dialog";
import { controls, show, toggle } from "./presenting";
import { t } from "@wavescope/core/i18n/i18n";

const GROUP = t("keyboard.page");

const onPicture = ({ container }: SlideContext): boolean => container?.contains(document.activeElement) ?? false;

export const openSettings: Command = {
  id: "page.settings",
  group: GROUP,
  title: t("settings.settings"),
  keys: [],
  run: () => showSettings(true),
};

export const settingsCommands: readonly Command[] = [
  openSettings,
  {
    id: "page.hide-controls",
    group: GROUP,
    title: t("settings.hideControls"),
    keys: ["Shift+q"],
    run: () => toggle("nothing"),
  },
  {
    id: "page.hide-controls-tab",
    group: GROUP,
    title: t("settings.hideControlsOnPicture"),
    keys: ["Tab"],
    available: (context) => settings.getState().tabHides && onPicture(context),
    run: () => toggle("nothing"),
  },
  { id: "page.presenter", group: GROUP, title: t("settings.presenter"), keys: [], run: () => toggle("presenter") },
  {
    id: "page.show-controls",
    group: GROUP,
    title: t("settings.showControls"),
    keys: ["Escape"],
    available: () => controls.getState().shown !== "all",
    run: () => show("all"),
  },
  {
    id: "page.values",
    group: GROUP,
    title: t("settings.valuesOnOrOff"),
    keys: [],
    run: () => settings.setState({ values: !settings.getState().values }),
  },
];
