/** Image adjustments by keys. */
import { plain } from "@wavescope/viewer/light/adjustments";
import { lightOf, readLight, setLight } from "@wavescope/viewer/light/light";
import type { Command } from "../../microscope/parts";
import { t } from "@wavescope/core/i18n/i18n";

export const lightCommands: readonly Command[] = [
  {
    id: "light.reset",
    group: t("light.imageAdjustments"),
    title: t("light.resetImageAdjustments"),
    keys: ["Shift+l"],
    run: ({ microscope }) => setLight(microscope, plain),
  },
  {
    id: "light.profile",
    group: t("light.imageAdjustments"),
    title: t("light.profileOnOrOff"),
    keys: ["Shift+i"],
    available: ({ microscope }) => lightOf(microscope).state.getState().colour?.state === "table",
    run: ({ microscope }) =>
      setLight(microscope, { ...readLight(microscope), profile: !readLight(microscope).profile }),
  },
];
