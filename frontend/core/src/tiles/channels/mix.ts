/** The picture that several channels make, by the exact rule of channels.md (CM1 to CM5). */
import { ENTRY, type MixEntries } from "./mixEntries";
import type { Channel, Manifest } from "../../wire/slides/manifest";

/** The least and the highest stored sample of a slide of channels. */
export interface SampleRange {
  readonly least: number;
  readonly most: number;
}

export function sampleRange({ groups }: Pick<Manifest, "groups">): SampleRange {
  const { bit_depth: bits, signed } = groups ?? { bit_depth: 8, signed: false };
  const least = signed ? -(2 ** (bits - 1)) : 0;
  return { least, most: least + 2 ** bits - 1 };
}

/** The channels of a slide, as the service has checked and stored them; none of a slide of one picture. */
export function channelsOf({ groups, url }: Manifest): readonly Channel[] {
  const described = groups?.channel_descriptions ?? [];
  if (groups && described.length !== groups.channel_groups)
    throw new Error(`the manifest of ${url} does not describe each channel`);
  return described;
}

/** One channel of a mix: which, its colour (RRGGBB), its window of stored samples, gamma in hundredths. */
export interface Shown {
  readonly c: number;
  readonly colour: string;
  readonly low: number;
  readonly high: number;
  readonly gamma: number;
}

export type Mix = readonly Shown[];

/** The mix as entries of a view's adjustments (CM8). */
export function entriesOf(mix: Mix): MixEntries {
  return Object.fromEntries(
    mix.map(({ c, colour, low, high, gamma }) => [`c${c}`, [Number.parseInt(colour, 16), low, high, gamma]]),
  );
}

/** The mix of the valid ones among such entries, in the order of the channels. Which channels and samples the slide has is not known here. */
export function mixOfEntries(entries: Readonly<Record<string, unknown>>): Mix {
  const mix = Object.entries(entries).flatMap(([name, value]) => {
    const c = ENTRY.exec(name)?.[1];
    if (c === undefined || !Array.isArray(value) || value.length !== 4 || !value.every(Number.isInteger)) return [];
    const [colour, low, high, gamma] = value as [number, number, number, number];
    if (colour < 0 || colour > 0xffffff || low >= high || gamma < 10 || gamma > 1000) return [];
    return [{ c: Number(c), colour: colour.toString(16).padStart(6, "0").toUpperCase(), low, high, gamma }];
  });
  return mix.sort((a, b) => a.c - b.c);
}

const FULL = 4095;

/** CM1: the channels that are on; the first one if none is. */
export function defaultMix(channels: readonly Channel[]): Mix {
  const all = channels.map(({ colour, display }, c) => ({ c, colour, ...display }));
  const on = all.filter((one) => one.on);
  return (on.length > 0 ? on : all.slice(0, 1)).map(({ c, colour, low, high, gamma }) => ({
    c,
    colour,
    low,
    high,
    gamma,
  }));
}

/** What each stored sample, from the least one on, adds to red, green and blue: CM2 to CM4. */
export function contributions({ colour, low, high, gamma }: Shown, { least, most }: SampleRange): Uint8Array {
  const width = high - low;
  const coloured = colouredBrightness(colour, gamma);
  const added = new Uint8Array(3 * (most - least + 1)); // 0 up to the low end of the window
  for (let s = Math.max(low, least), at = 3 * (s - least); s <= most; s++, at += 3) {
    const inside = Math.min(s - low, width);
    const from = 3 * Math.floor((2 * FULL * inside + width) / (2 * width));
    added[at] = coloured[from]!;
    added[at + 1] = coloured[from + 1]!;
    added[at + 2] = coloured[from + 2]!;
  }
  return added;
}

/** CM3 and CM4 of each windowed sample. */
function colouredBrightness(colour: string, gamma: number): Uint8Array {
  const components = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const coloured = new Uint8Array(3 * (FULL + 1));
  for (let u = 0; u <= FULL; u++) {
    const bright = Math.floor(255 * (u / FULL) ** (gamma / 100) + 0.5);
    components.forEach((k, i) => (coloured[3 * u + i] = Math.floor((bright * k + 127) / 255)));
  }
  return coloured;
}
