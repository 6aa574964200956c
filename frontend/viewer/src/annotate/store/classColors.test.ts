import { describe, expect, it } from "vitest";
import { ClassesInUse, colorFromName, contrastToWhite } from "./classColors";
import { someContent } from "./testing";

const NAMES = Array.from({ length: 500 }, (_, i) => `Class ${i}`);

describe("colorFromName", () => {
  it("AN24: is the same each time, and distinct from white", () => {
    expect(colorFromName("Tumor")).toEqual(colorFromName("Tumor"));
    expect(
      Math.min(...[...NAMES, "", "腫瘍", "a: b"].map((name) => contrastToWhite(colorFromName(name)))),
    ).toBeGreaterThanOrEqual(3.5);
  });

  it("AN24: tells names apart that differ by a letter", () => {
    expect(new Set(NAMES.slice(0, 50).map((name) => String(colorFromName(name)))).size).toBeGreaterThan(45);
  });
});

describe("ClassesInUse", () => {
  it("AN24: lists classes that are named beside those that have a colour, as long as something names them", () => {
    const own = new Map([["Stroma", [1, 2, 3] as const]]);
    const inUse = new ClassesInUse();
    const tumor = someContent(0, { class: "Tumor" });
    expect(inUse.change(null, tumor)).toBe(true);
    expect(inUse.change(null, tumor)).toBe(false);
    expect(inUse.change(null, someContent(0))).toBe(false);
    inUse.change(null, someContent(0, { class: "Stroma" }));
    expect([...inUse.with(own)]).toEqual([
      ["Stroma", [1, 2, 3]],
      ["Tumor", colorFromName("Tumor")],
    ]);
    expect(inUse.change(tumor, null)).toBe(false);
    expect(inUse.change(tumor, someContent(0, { class: "Fat" }))).toBe(true);
    expect([...inUse.with(own).keys()]).toEqual(["Stroma", "Fat"]);
  });
});
