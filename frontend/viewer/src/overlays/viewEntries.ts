/** The overlays of a view as entries of its adjustments (overlays.md, OV63 and OV64): short lists of numbers. Pure. */
import { COLOR_MAPS, type Style } from "@wavescope/core/overlays/style";
import type { Settings } from "./settings";

/** An overlay with what was chosen for it. */
interface Chosen extends Settings {
  readonly info: {
    readonly id: string;
    readonly raster: { readonly kind: string } | null;
    readonly classes: readonly { readonly color: string }[];
  };
}

export type OverlayEntries = Readonly<Record<string, unknown>>;

const VERSION = 1;
/** With a mix of 64 channels they fit into the adjustments that a session carries. */
const MAX_SHOWN = 6;
const MAX_SCORE = 255;
/** Hidden classes are bits: so many in a number, so many numbers in an entry, so many entries. */
const BITS = 32;
const NUMBERS = 4;
const HIDDEN_ENTRIES = 2;
/** Own colours of a view, and of one entry. A colour is its class times 2^24 plus RRGGBB. */
const MAX_COLORS = 24;
const COLORS = 4;
/** Characters of JSON that own colours leave for a mix of channels. */
const MAX_TEXT = 2000;
const ENTRY = /^overlay:([^:]+)$/;

/** The overlays that are shown, the highest `MAX_SHOWN` of them, with opacity, fill, threshold, hidden classes, colour map and own colours of classes. */
export function entriesOf(list: readonly Chosen[]): OverlayEntries {
  const shown = list.filter(({ visible }) => visible).slice(-MAX_SHOWN);
  const entries: Record<string, unknown> = { overlays: VERSION };
  for (const entry of shown) Object.assign(entries, entriesOfOne(entry));
  let left = MAX_COLORS;
  for (const { info, style } of shown.toReversed()) {
    const own = ownColors(info.classes, style.colors).slice(0, left);
    left -= own.length;
    for (let at = 0; at < own.length; at += COLORS) {
      const entry = { [`overlay:${info.id}:color${at / COLORS}`]: own.slice(at, at + COLORS) };
      if (JSON.stringify({ ...entries, ...entry }).length < MAX_TEXT) Object.assign(entries, entry);
    }
  }
  return entries;
}

/** Those that are not the colours of the overlay. */
function ownColors(classes: Chosen["info"]["classes"], colors: readonly string[]): number[] {
  return classes.flatMap(({ color }, of) => {
    const chosen = colors[of] ?? color;
    return chosen.toUpperCase() === color.toUpperCase() ? [] : [of * 2 ** 24 + Number.parseInt(chosen, 16)];
  });
}

/** The list as the entries say; null, or entries of another version: as it is. What makes no sense counts as not given. */
export function withEntries<T extends Chosen>(list: readonly T[], entries: OverlayEntries | null): readonly T[] {
  if (entries?.overlays !== VERSION) return list;
  return list.map((entry) => {
    const shown = numbersOf(entries[`overlay:${entry.info.id}`]);
    return shown ? { ...entry, ...settingsOf(entry, shown, entries) } : { ...entry, visible: false };
  });
}

/** How many overlays the entries show that the list does not have. */
export function missingIn(list: readonly Chosen[], entries: OverlayEntries | null): number {
  if (entries?.overlays !== VERSION) return 0;
  const ids = Object.keys(entries).flatMap((name) => ENTRY.exec(name)?.[1] ?? []);
  return ids.filter((id) => !list.some(({ info }) => info.id === id)).length;
}

function entriesOfOne({ info, opacity, style }: Chosen): OverlayEntries {
  const name = `overlay:${info.id}`;
  const { fill, least, most, byScore, map, from, to } = style;
  const percent = (part: number): number => Math.round(100 * part);
  return {
    [name]: [percent(opacity), percent(fill), least, most],
    ...(byScore && { [`${name}:score`]: [COLOR_MAPS.indexOf(map), from, to] }),
    ...hiddenEntries(name, style.hidden),
  };
}

function hiddenEntries(name: string, hidden: ReadonlySet<number>): OverlayEntries {
  const numbers = new Uint32Array(NUMBERS * HIDDEN_ENTRIES);
  for (const of of hidden) numbers[Math.floor(of / BITS)]! |= 1 << (of % BITS);
  const entries = Array.from({ length: HIDDEN_ENTRIES }, (_, i) => ({
    name: `${name}:hidden${i}`,
    bits: [...numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS)],
  }));
  const used = entries.filter(({ bits }) => bits.some((number) => number !== 0));
  return Object.fromEntries(used.map(({ name, bits }) => [name, bits]));
}

function settingsOf({ info, style }: Chosen, shown: readonly number[], entries: OverlayEntries): Settings {
  const [opacity = 100, fill = 20, least = 0, most = MAX_SCORE] = shown;
  const [map, from, to] = numbersOf(entries[`overlay:${info.id}:score`]) ?? [];
  const own: Style = {
    ...style,
    hidden: hiddenOf(info.id, entries),
    colors: colorsOf(info, entries),
    byScore: map !== undefined || info.raster?.kind === "values",
    map: COLOR_MAPS[map ?? -1] ?? "viridis",
    from: within(from ?? 0, MAX_SCORE),
    to: within(to ?? MAX_SCORE, MAX_SCORE),
    least: within(least, MAX_SCORE),
    most: within(most, MAX_SCORE),
    fill: within(fill, 100) / 100,
  };
  return { visible: true, opacity: within(opacity, 100) / 100, style: own };
}

function hiddenOf(id: string, entries: OverlayEntries): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (let i = 0; i < HIDDEN_ENTRIES; i += 1)
    for (const [n, bits] of (numbersOf(entries[`overlay:${id}:hidden${i}`]) ?? []).slice(0, NUMBERS).entries())
      for (let bit = 0; bit < BITS; bit += 1) if ((bits >>> bit) & 1) hidden.add((i * NUMBERS + n) * BITS + bit);
  return hidden;
}

/** The colours of the overlay, and own ones in their place. */
function colorsOf({ id, classes }: Chosen["info"], entries: OverlayEntries): readonly string[] {
  const colors = classes.map(({ color }) => color);
  for (let i = 0; i < MAX_COLORS / COLORS; i += 1)
    for (const number of (numbersOf(entries[`overlay:${id}:color${i}`]) ?? []).slice(0, COLORS)) {
      const of = Math.floor(number / 2 ** 24);
      if (of in colors)
        colors[of] = Math.floor(number - of * 2 ** 24)
          .toString(16)
          .padStart(6, "0")
          .toUpperCase();
    }
  return colors;
}

const numbersOf = (value: unknown): readonly number[] | null =>
  Array.isArray(value) && value.every((number) => Number.isFinite(number)) ? (value as number[]) : null;

const within = (value: number, most: number): number => Math.min(most, Math.max(0, value));
