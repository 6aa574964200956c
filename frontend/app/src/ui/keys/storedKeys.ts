/** The keys that the user gave to commands are stored in this browser. */
import { storedState } from "../../state/stored";
import { type KeyMap, keyMap } from "./keyMap";

const stored = storedState<KeyMap>("wavescope.keys", readKeyMap);

/** What is no list is left out. */
export function readKeyMap(known: Readonly<Record<string, unknown>>): KeyMap {
  return Object.fromEntries(
    Object.entries(known).flatMap(([id, keys]) => (Array.isArray(keys) ? [[id, keys.map(String)]] : [])),
  );
}

keyMap.setState(stored.getState(), true);
keyMap.subscribe((map) => stored.setState(map, true));
