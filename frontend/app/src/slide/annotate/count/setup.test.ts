import { describe, expect, it } from "vitest";
import { BUILT_IN, FIRST, MAX_CLASSES, parseRemembered, withSaved } from "./setup";
import { resultLine, resultTable } from "./result";

describe("AN37: presets", () => {
  const mine = { ...BUILT_IN[0]!, name: "Mine", classes: ["a", "b"] };

  it("are stored and read again, in place of one of the same name", () => {
    const once = withSaved(FIRST, mine);
    const twice = withSaved(once, { ...mine, classes: ["c"] });
    expect(parseRemembered(JSON.stringify(twice))).toEqual({
      current: { ...mine, classes: ["c"] },
      saved: [{ ...mine, classes: ["c"] }],
    });
  });

  it.each([null, "", "{", "3", "null", "[]", '{"current": 5, "saved": "x"}'])(
    "that are damaged (%s) are left out",
    (text) => {
      expect(parseRemembered(text)).toEqual(FIRST);
    },
  );

  it.each([
    { ...mine, size: { kind: "area", mm2: 0 } },
    { ...mine, size: { kind: "objective", magnification: 1e9, fieldNumber: 22 } },
    { ...mine, scope: "elsewhere" },
    { ...mine, classes: [""] },
  ])("that are out of bounds are left out", (one) => {
    expect(parseRemembered(JSON.stringify({ current: mine, saved: [one] }))).toEqual({ current: mine, saved: [] });
  });

  it("have as many classes as there are keys", () => {
    const many = { ...mine, classes: Array.from({ length: 20 }, (_, i) => String(i)) };
    expect(parseRemembered(JSON.stringify({ current: many })).current.classes).toHaveLength(MAX_CLASSES);
  });
});

describe("AN36: a result", () => {
  const setup = { ...BUILT_IN[0]!, classes: ["=A", "B, c"], index: true, size: { kind: "area", mm2: 0.2 } as const };
  const total = { counts: [3, 1], mm2: 2, overlapping: false, parts: [{ name: "HPF 1", counts: [3, 1], mm2: 2 }] };

  it("is one line with areas, densities and the index", () => {
    expect(resultLine(setup, "HPF", total)).toBe(
      "HPF, 2\u202fmm²; =A: 3 (1.5 per mm², 3 per 10 fields); B, c: 1 (0.5 per mm², 1 per 10 fields); " +
        "Index 75.0% of n = 4 (95% interval 30.1 to 95.4%); field 0.2\u202fmm²",
    );
  });

  it("is a table that no spreadsheet takes for formulas", () => {
    expect(resultTable(setup, "Sum", total).split("\r\n")).toEqual([
      "\ufeffregion,class,count,area_mm2,field_mm2,per_mm2,per_field,per_10_fields",
      "HPF 1,'=A,3,2,0.2,1.5,0.3,3",
      'HPF 1,"B, c",1,2,0.2,0.5,0.1,1',
      "Sum,'=A,3,2,0.2,1.5,0.3,3",
      'Sum,"B, c",1,2,0.2,0.5,0.1,1',
      "",
    ]);
  });
});
