/** The picture that several channels make, by the exact rule of channels.md (CM1 to CM5). */
import type { Manifest } from "../../wire/slides/manifest";

/** What describes a channel (ST111), as far as it is used here. */
export interface Channel {
  readonly name: string;
  readonly colour: string;
  readonly display: { readonly low: number; readonly high: number; readonly gamma: number; readonly on: boolean };
}

/** The channels of a slide, as the service has checked and stored them; none of a slide of one picture. */
export function channelsOf({ groups, url }: Manifest): readonly Channel[] {
  const described = (groups?.channel_descriptions ?? []) as unknown as readonly Channel[];
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

const FULL = 4095;
const VALUES = 256;

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

/** RGBA, opaque, of planes of stored samples, one for each channel of the mix. */
export function mixed(planes: readonly Uint8Array[], mix: Mix): Uint8ClampedArray<ArrayBuffer> {
  const size = planes[0]?.length ?? 0;
  const sums = new Uint16Array(3 * size); // 64 * 255 fits
  mix.forEach((shown, number) => addTo(sums, planes[number]!, contributions(shown)));
  const rgba = new Uint8ClampedArray(4 * size);
  for (let i = 0, at = 0, from = 0; i < size; i++, at += 4, from += 3) {
    rgba[at] = sums[from]!; // clipped at 255 by the array (CM5)
    rgba[at + 1] = sums[from + 1]!;
    rgba[at + 2] = sums[from + 2]!;
    rgba[at + 3] = 255;
  }
  return rgba;
}

function addTo(sums: Uint16Array, samples: Uint8Array, added: Uint8Array): void {
  for (let i = 0, at = 0; i < samples.length; i++, at += 3) {
    const from = 3 * samples[i]!;
    sums[at]! += added[from]!;
    sums[at + 1]! += added[from + 1]!;
    sums[at + 2]! += added[from + 2]!;
  }
}

/** What each stored sample adds to red, green and blue: CM2 to CM4. */
export function contributions({ colour, low, high, gamma }: Shown): Uint8Array {
  const width = high - low;
  const components = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const added = new Uint8Array(3 * VALUES);
  for (let s = 0; s < VALUES; s++) {
    const inside = Math.min(Math.max(s - low, 0), width);
    const u = Math.floor((2 * FULL * inside + width) / (2 * width));
    const bright = Math.floor(255 * (u / FULL) ** (gamma / 100) + 0.5);
    components.forEach((k, i) => (added[3 * s + i] = Math.floor((bright * k + 127) / 255)));
  }
  return added;
}
