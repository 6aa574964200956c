/** Keys of the page: looks the key up in the list of commands and runs what it finds. */
import { useEffect } from "react";
import { panelState } from "../microscope/panelState";
import { keyMap, listed } from "../ui/keys/keyMap";
import { isCharacter, isTaken, isTextField, keyName } from "../ui/keys/keyNames";
import type { Command, SlideContext } from "../microscope/parts";

export function commandOf(name: string, context: SlideContext, list: readonly Command[]): Command | null {
  const map = keyMap.getState();
  const has = ({ id, keys }: Command): boolean => (map[id] ?? keys).includes(name);
  return list.find((command) => has(command) && (command.available?.(context) ?? true)) ?? null;
}

/** Commands whose code is not here yet. */
export interface LaterCommands {
  readonly keys: ReadonlySet<string>;
  /** Fetches all commands. */
  readonly load: () => Promise<readonly Command[]>;
}

/** Listens while the slide is open in the viewer. */
export function useKeyboard(
  context: SlideContext | null,
  list: readonly Command[],
  later: LaterCommands | null = null,
): void {
  useEffect(() => {
    listed.setState({ commands: list });
    return () => listed.setState({ commands: [] });
  }, [list]);
  useEffect(() => (context ? listenToKeys(context, list, later) : undefined), [context, list, later]);
}

/**
 * Runs the commands of the keys that are pressed, until the returned function is called. Ignores events that a control has handled.
 * A key of a later command fetches its code first.
 */
export function listenToKeys(
  context: SlideContext,
  list: readonly Command[],
  later: LaterCommands | null = null,
): () => void {
  const field = new VanishedField();
  const press = (event: KeyboardEvent): void => {
    if (field.takes(event)) return event.preventDefault();
    if (event.defaultPrevented || event.isComposing || isTaken(event.target)) return;
    const name = keyName(event, event.getModifierState("AltGraph"));
    const everywhere = panelState.getState().keysEverywhere || !isCharacter(name);
    if (!everywhere && !context.container?.contains(event.target as Node)) return;
    const command = commandOf(name, context, list);
    if (!command) {
      if (later?.keys.has(name)) runLater(event, name, later);
      return;
    }
    event.preventDefault();
    if (!event.repeat || command.repeats) command.run(context);
  };
  const runLater = (event: KeyboardEvent, name: string, { load }: LaterCommands): void => {
    event.preventDefault();
    if (event.repeat) return;
    void load().then(
      (all) => commandOf(name, context, all)?.run(context),
      () => null, // the page says that a part of it is missing
    );
  };
  document.addEventListener("keydown", press);
  return () => {
    field.close();
    document.removeEventListener("keydown", press);
  };
}

/** Keys that end typing, or lead somewhere else. */
const LEAVING: ReadonlySet<string> = new Set(["Escape", "Enter", "Tab"]);

/**
 * A field that vanishes while its user types: what is typed on goes nowhere, until the user points at something, goes
 * elsewhere, or presses Escape, Enter or Tab. What the user removed by such a key or by the pointer is no such field.
 */
class VanishedField {
  private typedIn: Element | null = null;
  private readonly listening = new AbortController();

  constructor() {
    const { signal } = this.listening;
    const leave = (): void => void (this.typedIn = null);
    document.addEventListener("pointerdown", leave, { capture: true, signal });
    document.addEventListener("focusin", leave, { capture: true, signal });
    const typed = (event: KeyboardEvent): void => {
      if (LEAVING.has(event.key)) return leave();
      if (isTextField(event.target)) this.typedIn = event.target;
    };
    document.addEventListener("keydown", typed, { capture: true, signal });
  }

  /** Whether a key belongs to the field that is not there any more. */
  takes(event: KeyboardEvent): boolean {
    return this.typedIn !== null && !this.typedIn.isConnected && event.target !== this.typedIn;
  }

  close(): void {
    this.listening.abort();
  }
}
