import { describe, expect, it } from "vitest";
import { entriesOf, mixOfEntries } from "./mix";
import { entriesOfText, textOfEntries } from "./mixEntries";

const mix = [
  { c: 0, colour: "00FF80", low: -300, high: 65535, gamma: 45 },
  { c: 63, colour: "FF0000", low: 1, high: 2, gamma: 100 },
];

describe("CM8: a mix as entries", () => {
  it("comes back from them, with other entries beside it", () => {
    expect(entriesOf(mix)).toEqual({ c0: [0x00ff80, -300, 65535, 45], c63: [0xff0000, 1, 2, 100] });
    expect(mixOfEntries(JSON.parse(JSON.stringify({ contrast: 2, ...entriesOf(mix) })) as never)).toEqual(mix);
  });

  it("is in the order of the channels", () => {
    expect(mixOfEntries(entriesOf([...mix].reverse()))).toEqual(mix);
  });

  it.each([
    ["no channel", { c64: [1, 0, 9, 100] }],
    ["another name", { "c-1": [1, 0, 9, 100], c: [1, 0, 9, 100], C1: [1, 0, 9, 100], c01: [1, 0, 9, 100] }],
    ["no list of four", { c0: [1, 0, 9], c1: 7, c2: null }],
    ["no integers", { c0: [1, 0.5, 9, 100], c1: [1, "0", 9, 100], c2: [1, 0, NaN, 100] }],
    ["no window", { c0: [1, 9, 9, 100] }],
    ["no colour", { c0: [0x1000000, 0, 9, 100], c1: [-1, 0, 9, 100] }],
    ["no gamma", { c0: [1, 0, 9, 9], c1: [1, 0, 9, 1001] }],
  ])("leaves out what is %s", (_, entries) => {
    expect(mixOfEntries(entries)).toEqual([]);
  });

  it("WI137: comes back from the text of a link, which may be damaged", () => {
    expect(mixOfEntries(entriesOfText(textOfEntries(entriesOf(mix))))).toEqual(mix);
    expect(entriesOfText("0:FF0000:1-2:100,1:red:3-4:100,2,")).toEqual({ c0: [0xff0000, 1, 2, 100] });
  });
});
