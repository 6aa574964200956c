/** Counting by keys. While the counting tool is taken up, the digits choose classes; otherwise they are objectives. */
import { annotationsOf, openAnnotations } from "@wavescope/viewer/annotate/annotations";
import { showPanel } from "../../../microscope/panelState";
import type { Command, SlideContext } from "../../../microscope/parts";
import { choose, counting, isCounting, placeNext, start, stop } from "./counting";
import { MAX_CLASSES } from "./setup";
import { t } from "@wavescope/core/i18n/i18n";

const GROUP = t("counting.counting");

const isActive = ({ microscope }: SlideContext): boolean => {
  const annotations = openAnnotations(microscope);
  return annotations !== null && isCounting(annotations);
};
const mayCount = ({ microscope }: SlideContext): boolean => annotationsOf(microscope).store.state.getState().editable;

/** They come before the commands of the objectives, which have the same keys. */
export const classCommands: readonly Command[] = Array.from({ length: MAX_CLASSES }, (_, i) => ({
  id: `count.class-${i + 1}`,
  group: GROUP,
  title: t("counting.chooseClass", { number: i + 1 }),
  keys: [String(i + 1)],
  available: isActive,
  run: ({ microscope }) => {
    const name = counting.getState().current.classes[i];
    if (name !== undefined) choose(annotationsOf(microscope), name);
  },
}));

export const countCommands: readonly Command[] = [
  {
    id: "count.start",
    group: GROUP,
    title: t("counting.count"),
    keys: ["c"],
    available: mayCount,
    run: ({ microscope }) => {
      const annotations = annotationsOf(microscope);
      if (isCounting(annotations)) return stop(annotations);
      if (!matchMedia("(max-width: 700px)").matches) showPanel("annotations");
      start(annotations);
    },
  },
  {
    id: "count.next-field",
    group: GROUP,
    title: t("counting.nextField"),
    keys: ["o"],
    available: (context) => isActive(context) && context.manifest.mpp !== null,
    run: ({ microscope }) => placeNext(annotationsOf(microscope)),
  },
];
