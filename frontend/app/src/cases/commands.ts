/** Keys that step through the slides of a case. */
import type { Command } from "../microscope/parts";
import { slideAway, stepTo } from "./stepping";
import { t } from "@wavescope/core/i18n/i18n";

export const caseCommands: readonly Command[] = [
  { id: "previous", title: t("cases.previousSlideOfCase"), keys: [","], step: -1 },
  { id: "next", title: t("cases.nextSlideOfCase"), keys: ["."], step: 1 },
].map(
  ({ id, title, keys, step }): Command => ({
    id: `case.${id}`,
    group: t("keyboard.case"),
    title,
    keys,
    available: ({ manifest }) => slideAway(manifest.id, step) !== null,
    run: ({ manifest }) => {
      const away = slideAway(manifest.id, step);
      if (away) stepTo(away.slide, away.caseId);
    },
  }),
);
