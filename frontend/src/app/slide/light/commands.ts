/** Image adjustments by keys. */
import { plain } from "../../../viewer/light/adjustments";
import { lightOf, readLight, setLight } from "../../../viewer/light/light";
import type { Command } from "../../microscope/parts";

export const lightCommands: readonly Command[] = [
  {
    id: "light.reset",
    group: "Image adjustments",
    title: "Reset image adjustments",
    keys: ["Shift+l"],
    run: ({ scope }) => setLight(scope, plain),
  },
  {
    id: "light.profile",
    group: "Image adjustments",
    title: "ICC profile on or off",
    keys: ["Shift+i"],
    available: ({ scope }) => lightOf(scope).state.getState().colour?.state === "table",
    run: ({ scope }) => setLight(scope, { ...readLight(scope), profile: !readLight(scope).profile }),
  },
];
