import { describe, expect, it } from "vitest";
import { changedOf, parseAdjustments, plain } from "../light/adjustments";
import { settingsFor } from "./settings";
import { entriesOf, missingIn, withEntries } from "./viewEntries";

const classes = Array.from({ length: 40 }, (_, of) => ({ name: `${of}`, color: "377EB8", count: 1 }));
const one = (id: string, visible = true) => ({
  info: { id, raster: null, classes },
  ...settingsFor({ classes, raster: null }, visible),
});
const cells = one("cells");
const chosen = {
  ...cells,
  opacity: 0.35,
  style: {
    ...cells.style,
    hidden: new Set([0, 31, 32, 255]),
    byScore: true,
    map: "magma" as const,
    from: 10,
    least: 128,
  },
};

describe("the overlays of a view", () => {
  it("come back from a link with classes, opacity, threshold and colour map (OV63)", () => {
    const entries = entriesOf([one("tissue", false), chosen]);
    const read = parseAdjustments(JSON.parse(JSON.stringify(changedOf({ ...plain, overlays: entries })))).overlays;
    expect(withEntries([one("tissue"), cells], read)).toEqual([one("tissue", false), chosen]);
  });

  it("carry own colours of classes, 24 of all overlays at most (OV82)", () => {
    const colored = (id: string, own: readonly number[]) => {
      const entry = one(id);
      return {
        ...entry,
        style: { ...entry.style, colors: entry.style.colors.map((c, of) => (own.includes(of) ? "0A0B0C" : c)) },
      };
    };
    const few = colored("cells", [0, 2, 3, 7, 39]);
    const read = parseAdjustments(
      JSON.parse(JSON.stringify(changedOf({ ...plain, overlays: entriesOf([few]) }))),
    ).overlays;
    expect(withEntries([cells], read)).toEqual([few]);
    const many = [
      colored("low", [0, 1]),
      colored(
        "high",
        classes.map((_, of) => of),
      ),
    ];
    const [low, high] = withEntries([one("low"), one("high")], entriesOf(many));
    expect(low!.style.colors).toEqual(one("low").style.colors);
    expect(high!.style.colors.filter((color) => color === "0A0B0C")).toHaveLength(24);
  });

  it("take the colours of the overlay where an entry has none or a class that is not there (OV64, OV82)", () => {
    const own = { ...cells, style: { ...cells.style, colors: cells.style.colors.map(() => "FFFFFF") } };
    const entries = {
      overlays: 1,
      "overlay:cells": [100, 20, 0, 255],
      "overlay:cells:color0": [-1, 99 * 2 ** 24, 1e300],
    };
    expect(withEntries([own], entries)[0]!.style.colors).toEqual(cells.style.colors);
  });

  it("are short lists of numbers that fit beside a mix of all channels, six at most (OV63)", () => {
    const all = new Set(Array.from({ length: 256 }, (_, of) => of));
    const many = Array.from({ length: 9 }, (_, i) => {
      const entry = one(`${i}`.repeat(32));
      const colors = classes.map(() => "FFFFFF");
      return { ...entry, style: { ...entry.style, hidden: all, byScore: true, colors } };
    });
    const entries = entriesOf(many);
    expect(Object.keys(entries).filter((name) => /^overlay:\d+$/.test(name))).toHaveLength(6);
    for (const value of Object.values(entries).filter(Array.isArray)) expect(value.length).toBeLessThanOrEqual(4);
    expect(JSON.stringify(entries).length).toBeLessThan(2000);
  });

  it("stay as they are without entries, or with those of another version (OV63)", () => {
    for (const entries of [null, {}, { "overlay:cells": [1, 1, 1, 1] }, { overlays: 2 }])
      expect(withEntries([chosen], entries)).toEqual([chosen]);
  });

  it("are left out and counted where the slide does not have them, or the entry makes no sense (OV64)", () => {
    const entries = { overlays: 1, "overlay:gone": [100, 20, 0, 255], "overlay:cells": ["x"] };
    expect(missingIn([cells], entries)).toBe(1);
    expect(withEntries([cells], entries)).toEqual([{ ...cells, visible: false }]);
    expect(missingIn([cells], null)).toBe(0);
  });

  it("are brought back within their bounds (OV64)", () => {
    const [entry] = withEntries([cells], {
      overlays: 1,
      "overlay:cells": [900, -5, -1, 1e9],
      "overlay:cells:score": [77],
    });
    expect(entry).toMatchObject({ opacity: 1, style: { fill: 0, least: 0, most: 255, byScore: true, map: "viridis" } });
  });
});
