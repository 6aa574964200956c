/** How keys are written for the user. */
import { t } from "@wavescope/core/i18n/i18n";

/** What stands on the caps, in the language of the page; one that is not here has its own name. */
const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  PageUp: t("microscope.pageUp"),
  PageDown: t("microscope.pageDown"),
  Shift: t("keyboard.shift"),
  Enter: t("keyboard.enter"),
  Escape: t("keyboard.escape"),
  Delete: t("keyboard.delete"),
  Backspace: t("keyboard.backspace"),
  Home: t("keyboard.home"),
  "-": "−",
};

/** The caps that a name stands for: `Shift+ArrowLeft` is Shift and an arrow. */
export function keyCaps(name: string, apple = isApple()): string[] {
  const parts = name === "+" ? ["+"] : name.endsWith("++") ? [...name.slice(0, -2).split("+"), "+"] : name.split("+");
  return parts.map((part) => {
    if (part === "Mod") return apple ? "⌘" : t("keyboard.control");
    return SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part);
  });
}

/** In one word: `Shift+←`. */
export const keyLabel = (name: string): string => keyCaps(name).join("+");

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
