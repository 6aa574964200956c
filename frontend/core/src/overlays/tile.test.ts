import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CorruptError } from "../wire/http/errors";
import { turning } from "./rings";
import { bytesOf, decodeTile } from "./tile";

interface Case {
  readonly name: string;
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly scored: boolean;
  /** Base64. */
  readonly member: string;
  readonly expect: {
    readonly shapes: number;
    readonly outlines: Readonly<Record<string, string>>;
    readonly symbols?: Readonly<Record<string, string>>;
    readonly counts?: readonly { readonly class: number; readonly shapes: string; readonly scores: string }[];
  };
}

const pinned = [1, 2, 4, 5].map((version) => {
  const vectors = new URL(`../../../../shared/vectors/overlays/tiles-${version}.json`, import.meta.url);
  const found = JSON.parse(readFileSync(vectors, "utf8")) as Record<"cases" | "damaged", readonly Case[]>;
  const named = (all: readonly Case[]): Case[] =>
    all.map((one) => ({ ...one, name: `${one.name} (version ${version})` }));
  return { cases: named(found.cases), damaged: named(found.damaged) };
});
const cases = pinned.flatMap((of) => of.cases);
const damaged = pinned.flatMap((of) => of.damaged);

const memberOf = ({ member }: Case): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(member, "base64"));
const hash = (values: ArrayLike<number>): string =>
  createHash("sha256")
    .update(new Uint8Array(Int32Array.from(values).buffer))
    .digest("hex");

describe("tiles of overlays", () => {
  it.each(cases)("OV11 to OV17, OV55: $name", async (one) => {
    const { outlines, symbols, counts } = await decodeTile(memberOf(one), one, one.scored);
    const { corners, ringEnds, shapeEnds, classes, scores } = outlines;
    expect({
      shapes: shapeEnds.length,
      outlines: {
        corners: hash(corners),
        ring_ends: hash(ringEnds),
        shape_ends: hash(shapeEnds),
        classes: hash(classes),
        scores: hash(scores),
      },
      ...(symbols && {
        symbols: Object.fromEntries(
          Object.entries(symbols).map(([name, column]) => [name, hash(column as Uint8Array)]),
        ),
      }),
      ...(counts && {
        counts: counts.map((of) => ({ class: of.of, shapes: hash(of.shapes), scores: hash(of.scores) })),
      }),
    }).toEqual(one.expect);
  });

  it.each(damaged)("OV21: refuses $name", async (one) => {
    await expect(decodeTile(memberOf(one), one, one.scored)).rejects.toThrow(CorruptError);
  });

  it("OV21: refuses every tile that is cut", async () => {
    const one = cases[0]!;
    const member = memberOf(one);
    for (let length = 0; length < member.length; length += 97)
      await expect(decodeTile(member.slice(0, length), one, one.scored)).rejects.toThrow(CorruptError);
  });

  it("OV14: turns of short rings", () => {
    expect([1, 2, 3, 4, 20].map(turning)).toEqual([
      { cos: 16384, sin: 0 },
      { cos: -16384, sin: 0 },
      { cos: -8192, sin: 14189 },
      { cos: 0, sin: 16384 },
      { cos: 15582, sin: 5063 },
    ]);
  });

  it("says what a tile takes in memory", async () => {
    const one = cases[0]!;
    const tile = await decodeTile(memberOf(one), one, one.scored);
    expect(bytesOf(tile)).toBe(60 * (20 * 8 + 4 + 4 + 2));
  });
});
