/** Playing through the focal planes, and extended depth of field. */
import { canExtend, toggleExtended } from "@wavescope/viewer/light/extended";
import type { Command } from "../parts";
import { playFocus } from "./focusing";
import { t } from "@wavescope/core/i18n/i18n";

export const focusCommands: readonly Command[] = [
  {
    id: "focus.play",
    group: t("keyboard.focus"),
    title: t("focus.playOrStop"),
    keys: ["Shift+k"],
    available: ({ manifest }) => manifest.planes > 1,
    run: ({ microscope }) => playFocus(microscope),
  },
  {
    id: "focus.extended",
    group: t("keyboard.focus"),
    title: t("focus.extendedOnOrOff"),
    keys: ["Shift+z"],
    available: ({ microscope }) => canExtend(microscope),
    run: ({ microscope }) => toggleExtended(microscope),
  },
];
