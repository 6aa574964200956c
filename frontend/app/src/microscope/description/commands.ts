/** The view in words, and the annotations in view one by one. */
import type { Command, SlideContext } from "../parts";
import { descriptionOf } from "./description";
import { t } from "@wavescope/core/i18n/i18n";

const GROUP = t("keyboard.navigation");
const isShown = ({ microscope }: SlideContext): boolean => descriptionOf(microscope).state.getState().shown !== null;

export const DESCRIBE = "description.describe";
export const NEXT = "description.nextAnnotation";
export const PREVIOUS = "description.previousAnnotation";

export const descriptionCommands: readonly Command[] = [
  {
    id: DESCRIBE,
    group: GROUP,
    title: t("description.describe"),
    keys: ["Alt+s"],
    run: ({ microscope }) => void descriptionOf(microscope).describe(),
  },
  {
    id: "description.hide",
    group: GROUP,
    title: t("description.hide"),
    keys: ["Escape"],
    available: isShown,
    run: ({ microscope }) => descriptionOf(microscope).hide(),
  },
];

export const annotationSteps: readonly Command[] = [
  { id: NEXT, title: t("description.next"), keys: ["Alt+n"], by: 1 as const },
  { id: PREVIOUS, title: t("description.previous"), keys: ["Alt+p"], by: -1 as const },
].map(({ by, ...command }) => ({
  ...command,
  group: t("common.annotations"),
  repeats: true,
  run: ({ microscope }) => descriptionOf(microscope).step(by),
}));
