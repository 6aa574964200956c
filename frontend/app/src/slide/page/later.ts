/** The later parts of the slide page: they come after the first picture, or with the first key or click that needs them. */
import { useEffect, useState, useSyncExternalStore } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { LaterCommands } from "../../keyboard/keyboard";
import { deferred, firstPicture, loadAhead } from "../../ui/later/deferred";

export const laterParts = deferred(() => import("./laterParts"), { ahead: true });
export type LaterParts = Awaited<ReturnType<typeof laterParts.load>>;

/**
 * Keys of commands of the later parts, as long as those are not here. Left out are keys that act on something drawn or selected
 * (Enter, Escape, undo): there is nothing of it before.
 */
const TURNING_KEYS = ["Shift+o", "r", "Shift+r", "Alt+r", "Shift+m", "g"];
const PAGE_KEYS = ["f", "Shift+d", "Shift+q", "Mod+Enter", "Mod+k", "?"];
const PREVIEW_KEYS = [
  ...TURNING_KEYS,
  ...PAGE_KEYS,
  "Backspace",
  "Shift+v",
  "Shift+f",
  "Shift+g",
  "Shift+k",
  "Shift+z",
  "Shift+p",
];
const SLIDE_KEYS = [
  ...PREVIEW_KEYS,
  "Alt+s",
  "Alt+w",
  "Alt+n",
  "Alt+p",
  "Shift+b",
  ",",
  ".",
  "n",
  "p",
  "Shift+t",
  "Shift+s",
  "u",
  "h",
  "z",
  "Shift+u",
  "Shift+n",
  "Shift+e",
  "Shift+c",
  "c",
  "x",
  "m",
  "k",
  "q",
  "e",
  "d",
  "s",
  "Shift+x",
  "Shift+w",
  "w",
  "y",
  "Shift+h",
  "Shift+l",
  "Shift+i",
  "j",
  "Shift+j",
  "v",
  "Shift+y",
];

export const laterPreviewCommands: LaterCommands = {
  keys: new Set(PREVIEW_KEYS),
  load: async () => (await laterParts.load()).previewCommands,
};

export const laterCommands: LaterCommands = {
  keys: new Set(SLIDE_KEYS),
  load: async () => (await laterParts.load()).commands,
};

/** Milliseconds after which the later parts come even if the picture is not complete: while the user moves on, or on a very slow link. */
const LONGEST = 10_000;

/** `parts`: null until they are here; `failed`: they did not come, and `again` fetches them again. */
export function useLaterParts(microscope: Microscope | null): {
  readonly parts: LaterParts | null;
  readonly failed: boolean;
  readonly again: () => void;
} {
  const parts = useSyncExternalStore(laterParts.subscribe, laterParts.loaded);
  const [failed, setFailed] = useState(false);
  const again = (): void => {
    setFailed(false);
    void laterParts.load().catch(() => setFailed(true));
  };
  useEffect(() => {
    if (!microscope) return undefined;
    let left = false;
    const begin = (): void => {
      if (left) return;
      left = true;
      firstPicture.setState({ shown: true });
      laterParts.load().catch(() => setFailed(true));
      void loadAhead();
    };
    const timer = setTimeout(begin, LONGEST);
    void microscope.idle().then(begin, () => null);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [microscope]);
  return { parts, failed: failed && !parts, again };
}
