/**
 * A mix as entries of a flat object of short lists of numbers, as the adjustments of views are (CM8): `"c5": [16711680, 120, 4000, 100]` shows
 * channel 5 in red (RRGGBB as a number), from 120 to 4000, with gamma 1.00. What is valid is decided where it is mixed (mix.ts).
 */
export type MixEntries = Readonly<Record<string, readonly number[]>>;

/** `c` and the number of a channel. */
export const ENTRY = /^c(\d|[1-5]\d|6[0-3])$/;

/** The entries of a mix among those of any JSON. */
export function entriesIn(json: Readonly<Record<string, unknown>>): MixEntries {
  const own = Object.entries(json).filter(([name, value]) => ENTRY.test(name) && Array.isArray(value));
  return Object.fromEntries(own) as MixEntries;
}

/** As `channels=` of the API has it (WI137), all parts given. */
export function textOfEntries(entries: MixEntries): string {
  return Object.entries(entries)
    .map(([name, [colour = 0, low, high, gamma]]) => {
      const hex = colour.toString(16).padStart(6, "0").toUpperCase();
      return `${name.slice(1)}:${hex}:${low}-${high}:${gamma}`;
    })
    .join();
}

/** The parts of `channels=` that say all of a channel, as entries; others are passed over. */
export function entriesOfText(text: string): MixEntries {
  const parts = [...text.matchAll(/(\d+):([\dA-F]{6}):(-?\d+)-(-?\d+):(\d+)(?:,|$)/g)];
  return Object.fromEntries(
    parts.map(([, c, colour, ...rest]) => [`c${c}`, [parseInt(colour!, 16), ...rest.map(Number)]]),
  );
}
