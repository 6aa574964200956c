/**
 * The sums of tiles. A sum is brought from one mix to another by what differs: a channel whose window changes is one addition for each pixel,
 * whatever number of channels is on; and channels are added one by one, as their samples come, so that those of few need be at hand at a time.
 */
import { ByteLru } from "../../codec/byteLru";
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

/** By the names of samples. */
type Parts = ReadonlyMap<string, Part>;

interface Entry {
  readonly sum: Sum;
  readonly parts: Map<string, Part>;
}

const keyOf = ({ shown: { c }, layers }: Part): string => `${c}@${layers}`;

/** What makes of some parts others. */
export function changesBetween(have: Parts, wanted: readonly Part[]): Change[] {
  const added = wanted
    .map((part) => ({ part, before: have.get(keyOf(part))?.shown ?? null }))
    .filter(({ part, before }) => !isSame(part.shown, before))
    .map(({ part: { shown, layers }, before }) => ({ c: shown.c, layers, now: shown, before }));
  const keys = new Set(wanted.map(keyOf));
  const removed = [...have.values()]
    .filter((part) => !keys.has(keyOf(part)))
    .map(({ shown, layers }) => ({ c: shown.c, layers, now: null, before: shown }));
  return [...added, ...removed];
}

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

  /** Of how many layers the samples of a channel in the sum of a tile are; 0: it is not in it. */
  layersOf(tile: string, c: number): number {
    const parts = [...(this.entries.peek(tile)?.parts.values() ?? [])];
    return Math.max(0, ...parts.filter(({ shown }) => shown.c === c).map(({ layers }) => layers));
  }

  /** Changes the sum of a tile as far as the planes at hand allow. Gives what waits for its plane; nothing: the sum is as wanted. */
  advance(
    tile: string,
    wanted: readonly Part[],
    planeOf: (c: number, layers: number) => Plane | undefined,
  ): readonly Change[] {
    let entry = this.entries.get(tile);
    if (entry && changesBetween(entry.parts, wanted).length > wanted.length) {
      this.entries.delete(tile); // it is quicker to begin again
      entry = undefined;
    }
    return changesBetween(entry?.parts ?? new Map<string, Part>(), wanted).filter((change) => {
      const plane = planeOf(change.c, change.layers);
      if (!plane) return true;
      entry ??= this.begin(tile, plane);
      entry.sum.change(plane, change.now, change.before);
      const part = { shown: change.now ?? change.before!, layers: change.layers };
      if (change.now) entry.parts.set(keyOf(part), part);
      else entry.parts.delete(keyOf(part));
      return false;
    });
  }

  /** Of a tile whose sum is as wanted. */
  picture(tile: string): ImageBitmap {
    return this.entries.get(tile)!.sum.picture();
  }

  private begin(tile: string, size: Plane): Entry {
    const entry = { sum: this.mixer.begin(size), parts: new Map<string, Part>() };
    this.entries.set(tile, entry, entry.sum.bytes);
    return entry;
  }
}

function isSame(one: Shown, other: Shown | null): boolean {
  if (!other) return false;
  const { colour, low, high, gamma } = one;
  return colour === other.colour && low === other.low && high === other.high && gamma === other.gamma;
}
