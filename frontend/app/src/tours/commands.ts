/** Keys of a tour that is followed. */
import type { Command } from "../microscope/parts";
import { goToStep, leaveTour, stepAway } from "../microscope/openTour";
import { t } from "@wavescope/core/i18n/i18n";

const steps = [
  { id: "next", title: t("tours.nextStopOfTour"), keys: ["n"], by: 1 },
  { id: "previous", title: t("tours.previousStopOfTour"), keys: ["p"], by: -1 },
].map(
  ({ id, title, keys, by }): Command => ({
    id: `tour.${id}`,
    group: t("keyboard.tour"),
    title,
    keys,
    available: () => stepAway(by) !== null,
    run: ({ manifest }) => {
      const away = stepAway(by);
      if (away) goToStep(away.tour, away.step, manifest);
    },
  }),
);

export const tourCommands: readonly Command[] = [
  ...steps,
  {
    id: "tour.leave",
    group: t("keyboard.tour"),
    title: t("tours.closeTour"),
    keys: ["Shift+t"],
    available: () => new URLSearchParams(location.search).has("tour"),
    run: ({ manifest }) => leaveTour(manifest),
  },
];
