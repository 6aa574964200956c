import { describe, expect, it } from "vitest";
import { seeded } from "../../wire/testing";
import type { Mix, Shown } from "./mix";
import type { Mixer, Plane } from "./mixer";
import { mixed } from "./sums";
import { type Part, TileMixes, changesBetween } from "./tileMixes";

const shown = (c: number, high = 255, colour = "FFFFFF"): Shown => ({ c, colour, low: 0, high, gamma: 100 });
const partsOf = (parts: readonly Part[]): Map<number, readonly Part[]> =>
  new Map(parts.map((part) => [part.shown.c, [part]]));
const PIXELS = 16;
const RANGE = { least: 0, most: 255 };

/** Lists what is in a sum by hand, to be mixed by the rule. */
class ListMixer implements Mixer {
  readonly kind = "canvas";
  readonly bytes = 0;
  released = 0;

  begin() {
    const parts: [Plane, Shown][] = [];
    return {
      bytes: 10,
      change: (plane: Plane, now: Shown | null, before: Shown | null) => {
        const at = parts.findIndex(([one, was]) => one === plane && was === before);
        expect(at >= 0).toBe(before !== null);
        if (before) parts.splice(at, 1);
        if (now) parts.push([plane, now]);
      },
      picture: () => {
        const mix: Mix = parts.map(([, one]) => one);
        return mixed(
          parts.map(([{ values }]) => values),
          mix,
          RANGE,
        ) as unknown as ImageBitmap;
      },
      release: () => void (this.released += 1),
    };
  }

  close(): void {
    return undefined;
  }
}

describe("changes between mixes", () => {
  it("are one for another window, and for each channel that comes or goes", () => {
    const have = partsOf([0, 1, 2].map((c) => ({ shown: shown(c), layers: 2 })));
    const wanted = [shown(0), shown(1, 9), shown(3)].map((one) => ({ shown: one, layers: 2 }));
    expect(changesBetween(have, wanted)).toEqual([
      { c: 1, layers: 2, now: shown(1, 9), before: shown(1) },
      { c: 3, layers: 2, now: shown(3), before: null },
      { c: 2, layers: 2, now: null, before: shown(2) },
    ]);
  });

  it("take fewer layers away where more are wanted", () => {
    const have = partsOf([{ shown: shown(0), layers: 1 }]);
    expect(changesBetween(have, [{ shown: shown(0), layers: 2 }])).toEqual([
      { c: 0, layers: 2, now: shown(0), before: null },
      { c: 0, layers: 1, now: null, before: shown(0) },
    ]);
  });
});

describe("sums of tiles", () => {
  it("CM5: are those of the mix after any way to it, with whatever planes are at hand", () => {
    const random = seeded(3);
    const below = (limit: number): number => Math.floor(random() * limit);
    const planes = Array.from({ length: 8 }, (_, c) => ({
      name: String(c),
      width: PIXELS,
      height: 1,
      values: Uint8Array.from({ length: PIXELS }, () => below(256)),
    }));
    const mixes = new TileMixes(new ListMixer(), 100);
    for (let step = 0; step < 300; step++) {
      const mix = planes.flatMap((_, c) => (below(3) > 0 ? [shown(c, 1 + below(255), "4080FF")] : []));
      if (mix.length === 0) continue;
      const wanted = mix.map((one) => ({ shown: one, layers: 1 }));
      const present = new Set(planes.map((_, c) => c).filter(() => below(2) > 0));
      const missing = mixes.advance("tile", wanted, (c) => (present.has(c) ? planes[c] : undefined));
      expect(missing.every(({ c }) => !present.has(c))).toBe(true);
      expect(mixes.advance("tile", wanted, (c) => planes[c])).toEqual([]);
      const values = mix.map(({ c }) => planes[c]!.values);
      expect(mixes.picture("tile")).toEqual(mixed(values, mix, RANGE));
    }
  });

  it("are released when they are over the budget, and begun again when less is to be added than to be taken away", () => {
    const mixer = new ListMixer();
    const mixes = new TileMixes(mixer, 25);
    const planeOf = (c: number): Plane => ({ name: String(c), width: 1, height: 1, values: Uint8Array.of(c) });
    const four = [0, 1, 2, 3].map((c) => ({ shown: shown(c), layers: 1 }));
    for (const tile of ["a", "b", "c"]) mixes.advance(tile, four, planeOf);
    expect([mixer.released, mixes.bytes, mixes.layersOf("a")(0), mixes.layersOf("c")(3)]).toEqual([1, 20, 0, 1]);
    mixes.advance("c", four.slice(0, 1), planeOf);
    expect([mixer.released, mixes.layersOf("c")(0), mixes.layersOf("c")(3)]).toEqual([2, 1, 0]);
  });
});
