import type { KeyMap, WithKeys } from "./keyMap";

/** The commands with the keys that they have now. */
export function withKeys<C extends WithKeys>(commands: readonly C[], map: KeyMap): readonly C[] {
  return commands.map((command) => ({ ...command, keys: map[command.id] ?? command.keys }));
}
