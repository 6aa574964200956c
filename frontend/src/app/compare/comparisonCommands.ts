/** Keys of the page of two slides: those of one slide for the one touched last, and those of the pair. */
import type { Pair } from "../../viewer/compare/comparison";
import { otherSide } from "../../viewer/compare/comparisonState";
import { comfortCommands } from "../keyboard/commands";
import type { Command } from "../microscope/parts";
import { viewerCommands } from "../microscope/navigation/commands";
import { t } from "../../i18n/i18n";

const BLEND = 0.1;
const GROUP = t("compare.twoSlides");

export function pairCommands(pair: Pair): readonly Command[] {
  const state = () => pair.state.getState();
  const swiping = () => state().mode === "swipe";
  const command = (id: string, title: string, key: string, run: () => void, rest: Partial<Command> = {}): Command => {
    return { id: `pair.${id}`, group: GROUP, title, keys: [key], run, ...rest };
  };
  const marking = pair.marking;
  const isMarking = () => marking.state.getState().on;
  const toOther = (): void => pair.scopes[otherSide(state().active)].viewer.element.focus();
  return [
    ...viewerCommands,
    command("link", t("compare.linkOrUnlink"), "l", () => (state().link ? pair.unlink() : pair.link())),
    command("centres", t("compare.alignCentres"), "a", () => pair.alignCentres()),
    command("landmarks", t("compare.landmarksHint"), "Shift+l", () => marking.setOn(!isMarking())),
    command("mark", t("compare.markCentre"), "m", () => marking.markMiddle(state().active), {
      available: isMarking,
    }),
    command("unmark", t("compare.undoLandmark"), "Mod+z", () => marking.undo(), {
      available: isMarking,
      repeats: true,
    }),
    command("mode", t("compare.sideBySideOrSwipe"), "s", () => pair.setMode(swiping() ? "side" : "swipe")),
    command("other", t("compare.goToOtherSlide"), "o", toOther),
    command("flip", t("compare.flip"), "x", () => pair.swap(), { available: swiping }),
    command("blend-less", t("compare.lessOfB"), "<", () => pair.setBlend(state().blend - BLEND), {
      available: swiping,
      repeats: true,
    }),
    command("blend-more", t("compare.moreOfB"), ">", () => pair.setBlend(state().blend + BLEND), {
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
    ...comfortCommands,
  ];
}
