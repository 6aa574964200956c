/** The keys of commands: those they come with, or those that the user gave them in this browser (PG88). The one source for all that shows keys or listens to them. */
import { createStore } from "zustand/vanilla";

/** What the user changed: all keys of a command, by its id. */
export type KeyMap = Readonly<Record<string, readonly string[]>>;

export interface WithKeys {
  readonly id: string;
  readonly keys: readonly string[];
}

/** Empty until the later parts of the page are here (storedKeys.ts). */
export const keyMap = createStore<KeyMap>(() => ({}));

/** A command as the settings list it. */
export interface Listed extends WithKeys {
  readonly group: string;
  readonly title: string;
}

/** The commands of this page, with the keys that they come with. */
export const listed = createStore<{ readonly commands: readonly Listed[] }>(() => ({ commands: [] }));
