/** Keys of the page of two slides: those of one slide for the one touched last, and those of the pair. */
import type { Pair } from "../../viewer/compare/comparison";
import { otherSide } from "../../viewer/compare/comparisonState";
import { comfortCommands } from "../keyboard/commands";
import type { Command } from "../microscope/parts";
import { stageCommands } from "../microscope/navigation/commands";

const BLEND = 0.1;
const GROUP = "Two slides";

export function pairCommands(pair: Pair): readonly Command[] {
  const state = () => pair.state.getState();
  const swiping = () => state().mode === "swipe";
  const command = (id: string, title: string, key: string, run: () => void, rest: Partial<Command> = {}): Command => {
    return { id: `pair.${id}`, group: GROUP, title, keys: [key], run, ...rest };
  };
  const marking = pair.marking;
  const isMarking = () => marking.state.getState().on;
  const toOther = (): void => pair.scopes[otherSide(state().active)].stage.element.focus();
  return [
    ...stageCommands,
    command("link", "Link, or move each by itself", "l", () => (state().link ? pair.unlink() : pair.link())),
    command("centres", "Align centres", "a", () => pair.alignCentres()),
    command("landmarks", "Landmarks: register by points marked on both slides", "Shift+l", () =>
      marking.setOn(!isMarking()),
    ),
    command("mark", "Mark the middle of this slide's field", "m", () => marking.markMiddle(state().active), {
      available: isMarking,
    }),
    command("unmark", "Take the last landmark's change back", "Mod+z", () => marking.undo(), {
      available: isMarking,
      repeats: true,
    }),
    command("mode", "Side by side, or swipe", "s", () => pair.setMode(swiping() ? "side" : "swipe")),
    command("other", "Go to the other slide", "o", toOther),
    command("flip", "Flip A and B", "x", () => pair.swap(), { available: swiping }),
    command("blend-less", "See less of B", "<", () => pair.setBlend(state().blend - BLEND), {
      available: swiping,
      repeats: true,
    }),
    command("blend-more", "See more of B", ">", () => pair.setBlend(state().blend + BLEND), {
      available: swiping,
      repeats: true,
    }),
    command(
      "divider",
      "Go to the divider",
      "d",
      () => document.querySelector<HTMLElement>("[data-testid=divider]")?.focus(),
      { available: swiping },
    ),
    ...comfortCommands,
  ];
}
