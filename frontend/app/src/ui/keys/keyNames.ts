/** Keys by name: how a key press is called in a command. Pure. */
export type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey"> & {
  readonly code?: string;
};

/**
 * `Mod+Alt+Shift+key`. A sign that needs Shift on this keyboard or not (`?`, `+`, digits) goes by the sign alone; letters are small. Where a
 * keyboard types no Latin letter (Cyrillic, Greek, or with Alt on Apple's), a letter goes by the place of its key.
 * `altGraph`: the key that types signs on many keyboards; it is neither Ctrl nor Alt.
 */
export function keyName(press: KeyPress, altGraph = false): string {
  const place = press.key > "\x7f" && !altGraph && /^Key(.)/.exec(press.code ?? "");
  const key = place ? place[1]! : press.key;
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const parts: string[] = [];
  if ((press.ctrlKey || press.metaKey) && !altGraph) parts.push("Mod");
  if (press.altKey && !altGraph) parts.push("Alt");
  if (press.shiftKey && (letter || key.length > 1)) parts.push("Shift");
  parts.push(key === " " ? "Space" : letter ? key.toLowerCase() : key);
  return parts.join("+");
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
