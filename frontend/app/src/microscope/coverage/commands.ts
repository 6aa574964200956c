/** Coverage: shown or not, and the way through the tissue. */
import type { Command } from "../parts";
import { clearCoverage, stepThroughTissue, toggleCoverage, toggleReviewed } from "./coverage";
import { t } from "@wavescope/core/i18n/i18n";

export const coverageCommands: readonly Command[] = [
  {
    id: "coverage.show",
    group: t("keyboard.coverage"),
    title: t("coverage.onOrOff"),
    keys: ["Shift+v"],
    run: ({ microscope }) => toggleCoverage(microscope),
  },
  {
    id: "coverage.next",
    group: t("keyboard.coverage"),
    title: t("coverage.next"),
    keys: ["Shift+f"],
    run: ({ microscope }) => void stepThroughTissue(microscope, 1),
  },
  {
    id: "coverage.previous",
    group: t("keyboard.coverage"),
    title: t("coverage.previous"),
    keys: ["Shift+g"],
    run: ({ microscope }) => void stepThroughTissue(microscope, -1),
  },
  {
    id: "coverage.reviewed",
    group: t("keyboard.coverage"),
    title: t("coverage.markReviewed"),
    keys: [],
    run: ({ microscope }) => toggleReviewed(microscope),
  },
  {
    id: "coverage.clear",
    group: t("keyboard.coverage"),
    title: t("coverage.clear"),
    keys: [],
    run: ({ microscope }) => clearCoverage(microscope),
  },
];
