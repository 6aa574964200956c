/**
 * A mix as entries of a flat object of short lists of numbers, as the adjustments of views are (CM8): `"c5": [16711680, 120, 4000, 100]` shows
 * channel 5 in red (RRGGBB as a number), from 120 to 4000, with gamma 1.00.
 */
import type { Mix } from "./mix";

export type MixEntries = Readonly<Record<string, readonly number[]>>;

const NAME = /^c(\d|[1-5]\d|6[0-3])$/;

/** Whether an entry of this name is one of a mix. */
export const isChannel = (name: string): boolean => NAME.test(name);

export function entriesOf(mix: Mix): MixEntries {
  return Object.fromEntries(
    mix.map(({ c, colour, low, high, gamma }) => [`c${c}`, [Number.parseInt(colour, 16), low, high, gamma]]),
  );
}

/** The mix of an object's entries, in the order of the channels; null if none is valid. Which samples the slide has is not known here. */
export function mixOfEntries(json: Readonly<Record<string, unknown>>): Mix | null {
  const mix = Object.entries(json).flatMap(([name, value]) => {
    const c = NAME.exec(name)?.[1];
    if (c === undefined || !Array.isArray(value) || value.length !== 4 || !value.every(Number.isInteger)) return [];
    const [colour, low, high, gamma] = value as [number, number, number, number];
    if (colour < 0 || colour > 0xffffff || low >= high || gamma < 10 || gamma > 1000) return [];
    return [{ c: Number(c), colour: colour.toString(16).padStart(6, "0").toUpperCase(), low, high, gamma }];
  });
  return mix.length === 0 ? null : mix.sort((a, b) => a.c - b.c);
}

/** A mix as `channels=` of the API has it (WI137), all parts given. */
export function textOf(mix: Mix): string {
  return mix.map(({ c, colour, low, high, gamma }) => `${c}:${colour}:${low}-${high}:${gamma}`).join();
}

/** The parts of `channels=` that say all of a channel (WI137), as entries; others are passed over. */
export function entriesOfText(text: string): MixEntries {
  const parts = text.split(",").flatMap((part) => {
    const found = /^(\d+):([0-9a-f]{6}):(-?\d+)-(-?\d+):(\d+)$/i.exec(part);
    if (!found) return [];
    const [, c, colour, low, high, gamma] = found as unknown as [string, string, string, string, string, string];
    return [[`c${c}`, [Number.parseInt(colour, 16), Number(low), Number(high), Number(gamma)]] as const];
  });
  return Object.fromEntries(parts);
}
