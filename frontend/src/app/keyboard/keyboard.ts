/** Keys of the page: looks the key up in the list of commands and runs what it finds. */
import { useEffect } from "react";
import { panelState } from "../microscope/panelState";
import { isCharacter, isTaken, keyName } from "../microscope/keyNames";
import type { Command, SlideContext } from "../microscope/parts";

export function commandOf(name: string, context: SlideContext, list: readonly Command[]): Command | null {
  return list.find((command) => command.keys.includes(name) && (command.available?.(context) ?? true)) ?? null;
}

/** Listens while the slide is open in the viewer. */
export function useKeyboard(context: SlideContext | null, list: readonly Command[]): void {
  useEffect(() => (context ? listenToKeys(context, list) : undefined), [context, list]);
}

/** Runs the commands of the keys that are pressed, until the returned function is called. Ignores events that a control has handled. */
export function listenToKeys(context: SlideContext, list: readonly Command[]): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || isTaken(event.target)) return;
    const name = keyName(event, event.getModifierState("AltGraph"));
    const everywhere = panelState.getState().keysEverywhere || !isCharacter(name);
    if (!everywhere && event.target !== context.container) return;
    const command = commandOf(name, context, list);
    if (!command) return;
    event.preventDefault();
    if (!event.repeat || command.repeats) command.run(context);
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
