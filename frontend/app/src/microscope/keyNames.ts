/** Keys by name: how a key press is called in a command, and how the keyboard map writes it. Pure. */

import { t } from "@wavescope/core/i18n/i18n";
export type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey">;

/**
 * `Mod+Alt+Shift+key`. A sign that needs Shift on this keyboard or not (`?`, `+`, digits) goes by the sign alone; letters are small.
 * `altGraph`: the key that types signs on many keyboards; it is neither Ctrl nor Alt.
 */
export function keyName(press: KeyPress, altGraph = false): string {
  const { key } = press;
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const parts: string[] = [];
  if ((press.ctrlKey || press.metaKey) && !altGraph) parts.push("Mod");
  if (press.altKey && !altGraph) parts.push("Alt");
  if (press.shiftKey && (letter || key.length > 1)) parts.push("Shift");
  parts.push(key === " " ? "Space" : letter ? key.toLowerCase() : key);
  return parts.join("+");
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  PageUp: t("microscope.pageUp"),
  PageDown: t("microscope.pageDown"),
  "-": "−",
};

/** The caps that a name stands for: `Shift+ArrowLeft` is Shift and an arrow. */
export function keyCaps(name: string, apple: boolean): string[] {
  const parts = name === "+" ? ["+"] : name.endsWith("++") ? [...name.slice(0, -2).split("+"), "+"] : name.split("+");
  return parts.map((part) => {
    if (part === "Mod") return apple ? "⌘" : "Ctrl";
    return SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part);
  });
}

/** A letter, digit or sign, with Shift or without: what dictation software may "type" by accident. */
export function isCharacter(name: string): boolean {
  return Array.from(name.replace(/^Shift\+/, "")).length === 1;
}

const TEXT_FIELDS = ["input", "textarea", "[contenteditable=true]"].join(", ");

/** Whether keys write into this element. */
export function isTextField(target: EventTarget | null): target is Element {
  return target instanceof Element && target.closest(TEXT_FIELDS) !== null;
}

/** Whether a key types something or belongs to a control that uses it: it is then none of ours. */
export function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      "input, textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox], [role=slider], [role=tablist]",
    ) !== null
  );
}
