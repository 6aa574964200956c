import { describe, expect, it } from "vitest";
import type { Color } from "@wavescope/core/wire/annotations/annotations";
import { PALETTE, PLAIN, colorOf, cssOf, fromHex, hexOf, packed, shownColor } from "./colors";
import { authorColor, colorFromName } from "../store/classColors";

const classes = new Map<string, Color>([["Duct", [1, 2, 3]]]);

describe("the colour of an annotation", () => {
  it.each<[string, Color | null, string, Color]>([
    ["its own, whatever its class", [9, 9, 9], "Duct", [9, 9, 9]],
    ["black, where its own is black", [0, 0, 0], "Duct", [0, 0, 0]],
    ["that of its class", null, "Duct", [1, 2, 3]],
    ["the plain one for a class without a colour", null, "Lobule", PLAIN],
    ["the plain one without a class", null, "", PLAIN],
  ])("is %s", (_, color, name, expected) => {
    expect(colorOf({ color, class: name }, classes)).toEqual(expected);
  });
});

describe("AN50: the colour of an annotation as it is shown", () => {
  const content = { color: null, class: "Duct" };

  it("is that of the class, or by choice that of the author, the same everywhere", () => {
    const own = authorColor("Ada Lovelace");
    expect(shownColor(content, "Ada Lovelace", { colorBy: "class", classes })).toEqual([1, 2, 3]);
    expect(shownColor(content, "Ada Lovelace", { colorBy: "author", classes })).toEqual(own);
    expect(own).toEqual(colorFromName("Ada Lovelace"));
    expect(shownColor(content, "Grace Hopper", { colorBy: "author", classes })).not.toEqual(own);
  });

  it("is that of the class where the author is not known", () => {
    expect(shownColor(content, "", { colorBy: "author", classes })).toEqual([1, 2, 3]);
  });
});

it("is packed so that its bytes lie in memory as red, green, blue and full alpha", () => {
  for (const color of [...PALETTE, PLAIN, [0, 0, 0], [255, 255, 255]] as Color[]) {
    const words = Uint32Array.of(packed(color));
    expect([...new Uint8Array(words.buffer)]).toEqual([...color, 255]);
    expect(packed(color)).toBe(words[0]); // never negative
  }
});

it("is the same after it is written as hexadecimal digits and read again", () => {
  for (const color of [...PALETTE, [0, 7, 255]] as Color[]) expect(fromHex(hexOf(color))).toEqual(color);
  expect(hexOf([0, 7, 255])).toBe("#0007ff");
  expect(cssOf([0, 7, 255])).toBe("rgb(0 7 255)");
});

it.each([
  ["#FF8000", [255, 128, 0]],
  ["ff8000", [255, 128, 0]],
  ["#fff", null],
  ["#ff80001", null],
  ["#ff80g0", null],
  [" #ff8000", null],
  ["red", null],
  ["", null],
])("reads %j as %j", (text, color) => {
  expect(fromHex(text)).toEqual(color);
});

it("no two classes get the same colour of the palette, and none the plain one", () => {
  const names = [...PALETTE, PLAIN].map(hexOf);
  expect(new Set(names).size).toBe(names.length);
});
