/** Giving commands other keys: pure functions over what was changed so far (PG88). */
import type { KeyMap, WithKeys } from "../ui/keys/keyMap";
import { withKeys } from "../ui/keys/withKeys";

/** Keys that only hold others, or whose sign is still to come. */
const HELD =
  /^(Shift|Control|Alt|Meta|AltGraph|CapsLock|NumLock|ScrollLock|Fn|FnLock|Hyper|Super|Symbol|Dead|Process|Unidentified|Compose)$/;

export const isHeldOnly = (key: string): boolean => HELD.test(key);

/** Keys that belong to the browser, to the page or to the hand: they move the focus, close, copy and paste, or move the slide. */
const FIXED: ReadonlySet<string> = new Set(["Escape", "Tab", "Shift+Tab", "Space", "Mod+c", "Mod+v", "Mod+x"]);

export const isFixed = (key: string): boolean => FIXED.has(key);

/** Whether the keys of a command stay as they are. */
export const hasFixedKeys = ({ keys }: WithKeys): boolean => keys.some(isFixed);

/** Commands that have a key which another is to get; those that share it from the beginning are done in turn. */
export function conflictsOf<C extends WithKeys>(commands: readonly C[], map: KeyMap, id: string, key: string): C[] {
  const own = keysFrom(commands, id);
  const begun = new Map(commands.map((command) => [command.id, command.keys]));
  const inTurn = (other: string): boolean => own.includes(key) && begun.get(other)!.includes(key);
  return [...withKeys(commands, map)].filter(
    (other) => other.id !== id && other.keys.includes(key) && !inTurn(other.id),
  );
}

/** A command gets a key in place of its own; none where the key is null. */
export function assigned(commands: readonly WithKeys[], map: KeyMap, id: string, key: string | null): KeyMap {
  return changed(commands, map, id, key === null ? [] : [key]);
}

/** A command has a key beside its own; no other command has it any more (PG95). */
export function added(commands: readonly WithKeys[], map: KeyMap, id: string, key: string): KeyMap {
  const without = conflictsOf(commands, map, id, key).reduce(
    (all, other) =>
      changed(
        commands,
        all,
        other.id,
        other.keys.filter((one) => one !== key),
      ),
    map,
  );
  return changed(commands, without, id, [...new Set([...keysNow(commands, map, id), key])]);
}

/** A command gets a key in place of its own, and each command that has it gets the first one of this command in its place. */
export function swapped(commands: readonly WithKeys[], map: KeyMap, id: string, key: string): KeyMap {
  const [former] = keysNow(commands, map, id);
  const others = conflictsOf(commands, map, id, key);
  const given = others.reduce((all, other) => {
    const keys = other.keys.flatMap((one) => (one !== key ? [one] : former === undefined ? [] : [former]));
    return changed(commands, all, other.id, [...new Set(keys)]);
  }, map);
  return assigned(commands, given, id, key);
}

/** A command has the keys that it came with, and so has each command that took one of them. */
export function reset(commands: readonly WithKeys[], map: KeyMap, id: string): KeyMap {
  const rest = changed(commands, map, id, keysFrom(commands, id));
  const takers = keysFrom(commands, id).flatMap((key) => conflictsOf(commands, rest, id, key));
  return takers.reduce((all, taker) => (taker.id in all ? reset(commands, all, taker.id) : all), rest);
}

const keysFrom = (commands: readonly WithKeys[], id: string): readonly string[] =>
  commands.find((command) => command.id === id)?.keys ?? [];

const keysNow = (commands: readonly WithKeys[], map: KeyMap, id: string): readonly string[] =>
  map[id] ?? keysFrom(commands, id);

/** What is as it came is not stored. */
function changed(commands: readonly WithKeys[], map: KeyMap, id: string, keys: readonly string[]): KeyMap {
  const { [id]: _, ...rest } = map;
  return keys.join(" ") === keysFrom(commands, id).join(" ") ? rest : { ...rest, [id]: keys };
}
