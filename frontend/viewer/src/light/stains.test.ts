import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Rgb, StainEntries } from "./adjustments";
import { stageOf, stainNames } from "./stainStage";
import { amountOf, applyStains, stainViewOf, tablesOf } from "./stains";

interface Case {
  readonly entries: StainEntries;
  readonly white: Rgb | null;
  readonly pixels: readonly Rgb[];
  readonly amounts: readonly Rgb[];
  readonly picture: readonly Rgb[];
}

const vectors = new URL("../../../../shared/vectors/stains/views.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8")) as { cases: readonly Case[] };
const PAIR = { stain1: [560, 740, 372], stain2: [216, 848, 484] };

describe("stain views", () => {
  it.each(cases)(
    "SN1 SN2 SN3: amounts equal those of the reference, case %#",
    ({ entries, white, pixels, amounts }) => {
      const tables = tablesOf(stainViewOf(entries)!, white);
      expect(pixels.map((pixel) => [0, 1, 2].map((s) => amountOf(tables, s, ...pixel)))).toEqual(amounts);
    },
  );

  it.each(cases)(
    "SN4 SN5 SN6: pictures equal those of the reference, case %#",
    ({ entries, white, pixels, picture }) => {
      const rgba = Uint8ClampedArray.from(pixels.flatMap((pixel) => [...pixel, 255]));
      applyStains(tablesOf(stainViewOf(entries)!, white), rgba);
      expect([...rgba]).toEqual(picture.flatMap((pixel) => [...pixel, 255]));
    },
  );

  it("leaves what is beside the slide", () => {
    const rgba = Uint8ClampedArray.of(0, 0, 0, 0);
    applyStains(tablesOf(stainViewOf({ stain: 1 })!, null), rgba);
    expect([...rgba]).toEqual([0, 0, 0, 0]);
  });

  it.each<StainEntries>([
    {},
    { stain: 4 },
    { stain: "1" },
    { stain: 0 },
    { stain: 0, ...PAIR, stainTo1: [590, 700, 402, 100] },
    { stain: 0, ...PAIR, stainTo1: [590, 700, 402, 401], stainTo2: [110, 930, 350, 100] },
    { stain: 1, stain1: [560, 740, 372] },
    { stain: 1, stain1: [560, 740, 372], stain2: [560, 740, 372] },
    { stain: 1, stain1: [0, 0, 0], stain2: [560, 740, 372] },
    { stain: 1, stain1: [-1, 740, 372], stain2: [216, 848, 484] },
    { stain: 1, stain1: [560.5, 740, 372], stain2: [216, 848, 484] },
    { stain: 1, stain1: [560, 740], stain2: [216, 848, 484] },
  ])("SN2 SN7: refuses %j", (entries) => {
    expect(stainViewOf(entries)).toBeNull();
    expect(stageOf(entries, null)).toBeNull();
  });

  it("SN8 SN9: are named by their stain, an estimated one by its colour", () => {
    expect(stageOf({ stain: 3 }, null)?.name).toBe("DAB");
    expect(
      stageOf({ stain: 0, ...PAIR, stainTo1: [590, 700, 402, 99], stainTo2: [110, 930, 350, 99] }, null)?.name,
    ).toBe("Normalised");
    expect(stainNames(stainViewOf({ stain: 1, ...PAIR })!)).toEqual(["Haematoxylin", "Eosin", "Residual"]);
    const brown = { stain1: [620, 690, 373], stain2: [300, 540, 786] };
    expect(stainNames(stainViewOf({ stain: 1, ...brown })!)).toEqual(["Haematoxylin", "DAB", "Residual"]);
  });
});
