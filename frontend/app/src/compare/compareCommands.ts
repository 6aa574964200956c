/** From a slide to two. */
import type { Command } from "../microscope/parts";
import { compareWith } from "./goCompare";
import { t } from "@wavescope/core/i18n/i18n";

export const compareCommands: readonly Command[] = [
  {
    id: "compare.with",
    group: t("keyboard.page"),
    title: t("compare.compareWithAnother"),
    keys: ["Shift+c"],
    run: ({ microscope }) => compareWith(microscope),
  },
];
