/** Keys that step through the slides of a case. */
import type { Command } from "../microscope/parts";
import { slideAway, stepTo } from "./stepping";

export const caseCommands: readonly Command[] = [
  { id: "previous", title: "Previous slide of the case", keys: [","], step: -1 },
  { id: "next", title: "Next slide of the case", keys: ["."], step: 1 },
].map(
  ({ id, title, keys, step }): Command => ({
    id: `case.${id}`,
    group: "Case",
    title,
    keys,
    available: ({ manifest }) => slideAway(manifest.id, step) !== null,
    run: ({ manifest }) => {
      const away = slideAway(manifest.id, step);
      if (away) stepTo(away.slide, away.caseId);
    },
  }),
);
