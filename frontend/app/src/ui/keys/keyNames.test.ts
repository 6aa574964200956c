import { expect, it } from "vitest";
import { keyCaps } from "./keyCaps";
import { isCharacter, keyName } from "./keyNames";

const plain = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };

it.each([
  [{ key: "a" }, "a"],
  [{ key: "A", shiftKey: true }, "Shift+a"],
  [{ key: "A" }, "a"], // caps lock
  [{ key: "?", shiftKey: true }, "?"],
  [{ key: "+", shiftKey: true }, "+"],
  [{ key: "+" }, "+"],
  [{ key: "1" }, "1"],
  [{ key: "ArrowLeft", shiftKey: true }, "Shift+ArrowLeft"],
  [{ key: "k", ctrlKey: true }, "Mod+k"],
  [{ key: "k", metaKey: true }, "Mod+k"],
  [{ key: " " }, "Space"],
  [{ key: "ArrowLeft", altKey: true }, "Alt+ArrowLeft"],
])("names %o", (press, name) => {
  expect(keyName({ ...plain, ...press })).toBe(name);
});

it("takes the key that types signs for neither Ctrl nor Alt", () => {
  expect(keyName({ ...plain, key: "[", ctrlKey: true, altKey: true }, true)).toBe("[");
});

it.each([
  [{ key: "ф", code: "KeyA" }, "a"],
  [{ key: "Ф", code: "KeyA", shiftKey: true }, "Shift+a"],
  [{ key: "®", code: "KeyR", altKey: true }, "Alt+r"], // on Apple's keyboards
  [{ key: "л", code: "KeyK", ctrlKey: true }, "Mod+k"],
  [{ key: "q", code: "KeyA" }, "q"], // French: the sign that is typed
  [{ key: "ö", code: "Semicolon" }, "ö"],
  [{ key: "&", code: "Digit1" }, "&"],
])("goes by the place of the key where the keyboard types no Latin letter: %o (PG88)", (press, name) => {
  expect(keyName({ ...plain, ...press })).toBe(name);
});

it("writes names as caps", () => {
  expect(keyCaps("Shift+ArrowLeft", false)).toEqual(["Shift", "←"]);
  expect([keyCaps("Mod+k", false), keyCaps("Mod+k", true)]).toEqual([
    ["Ctrl", "K"],
    ["⌘", "K"],
  ]);
  expect([keyCaps("+", false), keyCaps("Mod++", false)]).toEqual([["+"], ["Ctrl", "+"]]);
});

it("knows the keys that dictation may press", () => {
  expect(["f", "Shift+d", "?"].every(isCharacter)).toBe(true);
  expect(["ArrowLeft", "Mod+k", "Shift+ArrowLeft", "Home"].some(isCharacter)).toBe(false);
});
