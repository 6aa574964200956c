/** How the shapes of an overlay are coloured and which are shown (overlays.md, OV45 to OV47). Pure. */

/** What a person chooses. Scores are stored ones, 0 to 255. */
export interface Style {
  readonly hidden: ReadonlySet<number>;
  /** RRGGBB of each class. */
  readonly colors: readonly string[];
  /** Whether colours tell the score rather than the class. */
  readonly byScore: boolean;
  readonly map: ColorMap;
  /** The scores at the ends of the colour map. */
  readonly from: number;
  readonly to: number;
  /** Shapes with less or more are not shown. */
  readonly least: number;
  readonly most: number;
  /** How opaque the inside of outlines is, 0 to 1. */
  readonly fill: number;
}

/** The same as tables, for painters: colours are 0xBBGGRR. */
export interface StyleTables {
  readonly byClass: Uint32Array<ArrayBuffer>;
  readonly byScore: Uint32Array<ArrayBuffer> | null;
  /** 1 for classes that are shown. */
  readonly shown: Uint8Array<ArrayBuffer>;
  readonly least: number;
  readonly most: number;
  readonly fill: number;
}

export const COLOR_MAPS = ["viridis", "magma", "coolwarm", "grey"] as const;
export type ColorMap = (typeof COLOR_MAPS)[number];

/** Even steps of the maps of matplotlib. */
const STOPS: Readonly<Record<ColorMap, readonly string[]>> = {
  viridis: ["440154", "472D7B", "3B528B", "2C728E", "21918C", "28AE80", "5EC962", "ADDC30", "FDE725"],
  magma: ["000004", "1D1147", "51127C", "832681", "B73779", "E75263", "FC8961", "FEC488", "FCFDBF"],
  coolwarm: ["3B4CC0", "6282EA", "8DB0FE", "B8D0F9", "DDDDDD", "F5C4AD", "F49A7B", "DE604D", "B40426"],
  grey: ["000000", "FFFFFF"],
};
const NUMBERS = 256;

export function tablesOf(style: Style): StyleTables {
  const { hidden, colors, byScore, map, from, to, least, most, fill } = style;
  const byClass = new Uint32Array(NUMBERS);
  const shown = new Uint8Array(NUMBERS);
  for (let of = 0; of < NUMBERS; of += 1) {
    byClass[of] = packed(colors[of] ?? "808080");
    shown[of] = hidden.has(of) ? 0 : 1;
  }
  const scale = (score: number): number => (to === from ? Number(score >= to) : (score - from) / (to - from));
  const ramp = Uint32Array.from({ length: NUMBERS }, (_, score) => colorAt(map, scale(score)));
  return { byClass, byScore: byScore ? ramp : null, shown, least, most, fill };
}

/** The colour at a part of a map, 0 to 1; beyond: that of its end. */
export function colorAt(map: ColorMap, part: number): number {
  const stops = STOPS[map];
  const at = Math.min(1, Math.max(0, part)) * (stops.length - 1);
  const first = Math.min(stops.length - 2, Math.floor(at));
  const [from, to] = [packed(stops[first]!), packed(stops[first + 1]!)];
  return mixed([from, to], [1 - (at - first), at - first]);
}

/** The mean of colours by their weights; black without. */
export function mixed(colors: readonly number[], weights: readonly number[]): number {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const mean = (shift: number): number =>
    Math.round(colors.reduce((all, color, i) => all + ((color >>> shift) & 255) * weights[i]!, 0) / (sum || 1));
  return mean(0) | (mean(8) << 8) | (mean(16) << 16);
}

/** Of a shape; whether it is shown at all says `isShown`. */
export const colorOf = ({ byClass, byScore }: StyleTables, of: number, score: number): number =>
  byScore ? byScore[score]! : byClass[of]!;

export const isShown = ({ shown, least, most }: StyleTables, of: number, score: number): boolean =>
  shown[of] === 1 && score >= least && score <= most;

/** RRGGBB as 0xBBGGRR. */
export function packed(color: string): number {
  const value = Number.parseInt(color, 16);
  return ((value & 255) << 16) | (value & 0xff00) | (value >>> 16);
}

/** 0xBBGGRR as CSS has it. */
export const cssColor = (color: number): string => `rgb(${color & 255} ${(color >>> 8) & 255} ${(color >>> 16) & 255})`;
