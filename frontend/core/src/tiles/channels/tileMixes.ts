/**
 * The sums of tiles. A sum is brought from one mix to another by what differs: a channel whose window changes is one addition for each pixel,
 * whatever number of channels is on; and channels are added one by one, as their samples come, so that those of few need be at hand at a time.
 */
import { ByteLru } from "../../codec/byteLru";
import type { TileImage } from "../pictures";
import type { Shown } from "./mix";
import type { Mixer, Plane, Sum } from "./mixer";

/** A channel in a sum: how it is shown, and how many layers its samples have. */
export interface Part {
  readonly shown: Shown;
  readonly layers: number;
}

/** Of samples that are in a sum, are to be in it, or both. */
export interface Change {
  readonly c: number;
  readonly layers: number;
  readonly now: Shown | null;
  readonly before: Shown | null;
}

/** By channel. A channel that gets better has two parts until the worse one is taken away. */
type Parts = ReadonlyMap<number, readonly Part[]>;

interface Entry {
  readonly sum: Sum;
  readonly parts: Map<number, readonly Part[]>;
}

/** What makes of some parts others. */
export function changesBetween(have: Parts, wanted: readonly Part[]): Change[] {
  const changes: Change[] = [];
  const layersOf = new Map<number, number>();
  for (const { shown, layers } of wanted) {
    layersOf.set(shown.c, layers);
    const before = have.get(shown.c)?.find((part) => part.layers === layers)?.shown ?? null;
    if (!isSame(shown, before)) changes.push({ c: shown.c, layers, now: shown, before });
  }
  for (const [c, parts] of have)
    for (const { shown, layers } of parts)
      if (layersOf.get(c) !== layers) changes.push({ c, layers, now: null, before: shown });
  return changes;
}

const NO_PARTS: Parts = new Map();

export class TileMixes {
  private readonly entries: ByteLru<Entry>;

  /** `budget`: bytes of all sums. */
  constructor(
    readonly mixer: Mixer,
    budget: number,
  ) {
    this.entries = new ByteLru(budget, ({ sum }) => sum.release());
  }

  get bytes(): number {
    return this.entries.bytes + this.mixer.bytes;
  }

  /** Of how many layers the samples of each channel in the sum of a tile are; 0: it is not in it. */
  layersOf(tile: string): (c: number) => number {
    const parts = this.entries.peek(tile)?.parts ?? NO_PARTS;
    return (c) => (parts.get(c) ?? []).reduce((most, { layers }) => Math.max(most, layers), 0);
  }

  /** Changes the sum of a tile as far as the planes at hand allow. Gives what waits for its plane; nothing: the sum is as wanted. */
  advance(
    tile: string,
    wanted: readonly Part[],
    planeOf: (c: number, layers: number) => Plane | undefined,
  ): readonly Change[] {
    let entry = this.entries.get(tile);
    let changes = changesBetween(entry?.parts ?? NO_PARTS, wanted);
    if (entry && changes.length > wanted.length) {
      this.entries.delete(tile); // it is quicker to begin again
      entry = undefined;
      changes = changesBetween(NO_PARTS, wanted);
    }
    return changes.filter((change) => {
      const plane = planeOf(change.c, change.layers);
      if (!plane) return true;
      entry ??= this.begin(tile, plane);
      entry.sum.change(plane, change.now, change.before);
      const others = (entry.parts.get(change.c) ?? []).filter(({ layers }) => layers !== change.layers);
      entry.parts.set(change.c, change.now ? [...others, { shown: change.now, layers: change.layers }] : others);
      return false;
    });
  }

  /** Of a tile whose sum is as wanted. */
  picture(tile: string): TileImage {
    return this.entries.get(tile)!.sum.picture();
  }

  private begin(tile: string, size: Plane): Entry {
    const entry = { sum: this.mixer.begin(size), parts: new Map<number, readonly Part[]>() };
    this.entries.set(tile, entry, entry.sum.bytes);
    return entry;
  }
}

function isSame(one: Shown, other: Shown | null): boolean {
  if (!other) return false;
  const { colour, low, high, gamma } = one;
  return colour === other.colour && low === other.low && high === other.high && gamma === other.gamma;
}
