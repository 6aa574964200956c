import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Manifest } from "../../wire/slides/manifest";
import type { Channel } from "../../wire/slides/manifest";
import { type Mix, contributions, defaultMix, sampleRange } from "./mix";
import { found, mixOf, settingsOf, soloed } from "./settings";
import { mixed } from "./sums";

interface Case {
  /** 8 without. */
  readonly bits?: number;
  readonly signed?: boolean;
  readonly mix: Mix;
  readonly samples: readonly (readonly number[])[];
  readonly picture: readonly (readonly number[])[];
}

const vectors = new URL("../../../../../shared/vectors/channels/mix.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8")) as { cases: readonly Case[] };

const slideOf = (bit_depth: number, signed: boolean) =>
  ({ groups: { bit_depth, signed } }) as unknown as Pick<Manifest, "groups">;

function channel(name: string, on: boolean): Channel {
  return { name, colour: "FF8000", display: { low: 3, high: 90, gamma: 120, on } };
}

describe("mixes", () => {
  it.each(cases)("CM2 CM3 CM4 CM5: equal those of the reference, case %#", (one) => {
    const { bits = 8, signed = false, mix, samples, picture } = one;
    const kinds = signed ? [Int8Array, Int16Array] : [Uint8Array, Uint16Array];
    const planes = samples.map((row) => kinds[bits > 8 ? 1 : 0]!.from(row));
    const range = sampleRange(slideOf(bits, signed));
    expect([...mixed(planes, mix, range)]).toEqual(picture.flatMap((rgb) => [...rgb, 255]));
  });

  it("CM1: a stored sample has the bits and the sign of the slide", () => {
    expect(sampleRange(slideOf(16, false))).toEqual({ least: 0, most: 65535 });
    expect(sampleRange(slideOf(12, true))).toEqual({ least: -2048, most: 2047 });
    expect(sampleRange({ groups: null })).toEqual({ least: 0, most: 255 });
  });

  it("CM2: a channel in white with the whole window shows its samples", () => {
    const added = contributions({ c: 0, colour: "FFFFFF", low: 0, high: 255, gamma: 100 }, { least: 0, most: 255 });
    expect([...added]).toEqual(Array.from({ length: 768 }, (_, i) => Math.floor(i / 3)));
  });

  it("CM1: the default mix has the channels that are on, else the first", () => {
    const shown = { colour: "FF8000", low: 3, high: 90, gamma: 120 };
    expect(defaultMix([channel("a", false), channel("b", true), channel("c", true)])).toEqual([
      { c: 1, ...shown },
      { c: 2, ...shown },
    ]);
    expect(defaultMix([channel("a", false), channel("b", false)])).toEqual([{ c: 0, ...shown }]);
  });

  it("are of one channel alone, and of all that were on again", () => {
    const all = settingsOf(
      ["a", "b", "c"].map((name) => channel(name, false)),
      [0, 2].map((c) => ({ c, colour: "00FF00", low: 1, high: 2, gamma: 50 })),
    );
    const alone = soloed(all, 1, new Set());
    expect(mixOf(alone).map(({ c }) => c)).toEqual([1]);
    expect(mixOf(soloed(alone, 1, new Set([0, 2]))).map(({ c }) => c)).toEqual([0, 1, 2]);
    expect(mixOf(soloed(soloed(all, 0, new Set()), 0, new Set([0, 2]))).map(({ c }) => c)).toEqual([0, 2]);
    expect(found(all, " B ").map(({ name }) => name)).toEqual(["b"]);
  });

  it("come back from the settings of all channels", () => {
    const channels = [channel("a", true), channel("b", false)];
    const mix = [{ c: 1, colour: "00FF00", low: 1, high: 2, gamma: 50 }];
    const settings = settingsOf(channels, mix);
    expect(settings.map(({ name, on, low }) => [name, on, low])).toEqual([
      ["a", false, 3],
      ["b", true, 1],
    ]);
    expect(mixOf(settings)).toEqual(mix);
  });
});
