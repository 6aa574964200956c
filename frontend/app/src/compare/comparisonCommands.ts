/** Keys of the page of several slides: those of one slide for the slide used last, and those of the comparison. */
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { MAX_PANES } from "@wavescope/viewer/compare/address";
import { isShown } from "@wavescope/viewer/compare/comparisonState";
import { addSlide } from "./goCompare";
import { pageCommands } from "../keyboard/commands";
import { openSettings } from "../settings/commands";
import type { Command } from "../microscope/parts";
import { receiptCommand, showReceipt } from "../receipt/dialog";
import { descriptionCommands } from "../microscope/description/commands";
import { viewerCommands } from "../microscope/navigation/commands";
import { turningCommands } from "../microscope/navigation/turningCommands";
import { t } from "@wavescope/core/i18n/i18n";

const BLEND = 0.1;
const GROUP = t("compare.severalSlides");

export function comparisonCommands(comparison: Comparison): readonly Command[] {
  const state = () => comparison.state.getState();
  const swiping = () => state().mode === "swipe";
  const command = (id: string, title: string, key: string, run: () => void, rest: Partial<Command> = {}): Command => {
    return { id: `comparison.${id}`, group: GROUP, title, keys: [key], run, ...rest };
  };
  const marking = comparison.marking;
  const isMarking = () => marking.state.getState().on;
  const toNext = (): void => {
    const panes = [...comparison.microscopes.keys()].filter((pane) => isShown(state(), pane));
    const next = panes.find((pane) => pane > state().active) ?? panes[0]!;
    comparison.microscopes[next]!.viewer.element.focus();
  };
  return [
    ...viewerCommands,
    ...turningCommands,
    ...descriptionCommands,
    command("link", t("compare.linkOrUnlink"), "l", () => (state().links ? comparison.unlink() : comparison.link())),
    command("centres", t("compare.alignCentres"), "a", () => comparison.alignCentres()),
    command("automatic", t("compare.alignAutomatically"), "Shift+a", () => comparison.alignAutomatically()),
    command("landmarks", t("compare.landmarksHint"), "Shift+l", () => marking.setOn(!isMarking())),
    command("mark", t("compare.markCentre"), "m", () => marking.markMiddle(state().active), {
      available: isMarking,
    }),
    command("unmark", t("compare.undoLandmark"), "Mod+z", () => marking.undo(), {
      available: isMarking,
      repeats: true,
    }),
    command("mode", t("compare.sideBySideOrSwipe"), "s", () => comparison.setMode(swiping() ? "side" : "swipe")),
    command("other", t("compare.goToNextSlide"), "o", toNext),
    command("add", t("compare.addSlide"), "Shift+c", () => addSlide(comparison), {
      available: () => comparison.microscopes.length < MAX_PANES,
    }),
    command("flip", t("compare.flip"), "x", () => comparison.swap(), { available: swiping }),
    command("blend-less", t("compare.lessOfUpper"), "<", () => comparison.setBlend(state().blend - BLEND), {
      available: swiping,
      repeats: true,
    }),
    command("blend-more", t("compare.moreOfUpper"), ">", () => comparison.setBlend(state().blend + BLEND), {
      available: swiping,
      repeats: true,
    }),
    command(
      "divider",
      t("compare.goToDivider"),
      "d",
      () => document.querySelector<HTMLElement>("[data-testid=divider]")?.focus(),
      { available: swiping },
    ),
    receiptCommand(() => showReceipt(true)),
    ...pageCommands,
    openSettings,
  ];
}
