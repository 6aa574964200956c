/** Turning, mirroring, the overview and going to coordinates, by keys. */
import { mirror, turnBy, turnTo } from "@wavescope/viewer/navigation/moves";
import { toggleOverview } from "../panelState";
import type { Command } from "../parts";
import { showGoTo } from "./goToDialog";
import { t } from "@wavescope/core/i18n/i18n";

const DEGREES = 15;

export const turningCommands: readonly Command[] = [
  {
    id: "viewer.overview",
    group: t("keyboard.navigation"),
    title: t("microscope.overviewOnOrOff"),
    keys: ["Shift+o"],
    run: toggleOverview,
  },
  {
    id: "viewer.turn-right",
    group: t("keyboard.navigation"),
    title: t("microscope.rotateRight", { degrees: DEGREES }),
    keys: ["r"],
    repeats: true,
    run: ({ microscope }) => turnBy(microscope, DEGREES),
  },
  {
    id: "viewer.turn-left",
    group: t("keyboard.navigation"),
    title: t("microscope.rotateLeft", { degrees: DEGREES }),
    keys: ["Shift+r"],
    repeats: true,
    run: ({ microscope }) => turnBy(microscope, -DEGREES),
  },
  {
    id: "viewer.upright",
    group: t("keyboard.navigation"),
    title: t("microscope.resetRotation"),
    keys: ["Alt+r"],
    run: ({ microscope }) => turnTo(microscope, 0),
  },
  {
    id: "viewer.mirror",
    group: t("keyboard.navigation"),
    title: t("microscope.mirrorLeftRight"),
    keys: ["Shift+m"],
    run: ({ microscope }) => mirror(microscope),
  },
  {
    id: "viewer.go-to",
    group: t("keyboard.navigation"),
    title: t("microscope.goToLong"),
    keys: ["g"],
    run: () => showGoTo(true),
  },
];
