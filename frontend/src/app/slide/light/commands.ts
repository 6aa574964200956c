/** Image adjustments by keys. */
import { plain } from "../../../viewer/light/adjustments";
import { lightOf, readLight, setLight } from "../../../viewer/light/light";
import type { Command } from "../../microscope/parts";
import { t } from "../../../i18n/i18n";

export const lightCommands: readonly Command[] = [
  {
    id: "light.reset",
    group: t("light.imageAdjustments"),
    title: t("light.resetImageAdjustments"),
    keys: ["Shift+l"],
    run: ({ scope }) => setLight(scope, plain),
  },
  {
    id: "light.profile",
    group: t("light.imageAdjustments"),
    title: t("light.profileOnOrOff"),
    keys: ["Shift+i"],
    available: ({ scope }) => lightOf(scope).state.getState().colour?.state === "table",
    run: ({ scope }) => setLight(scope, { ...readLight(scope), profile: !readLight(scope).profile }),
  },
];
