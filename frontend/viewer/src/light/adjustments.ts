/** How the light at the microscope is set: plain JSON that deep links, tours and sessions may carry. Never written back to the slide. */

import { type MixEntries, entriesIn } from "@wavescope/core/tiles/channels/mixEntries";

export type Rgb = readonly [number, number, number];

export interface Adjustments {
  /** Added, -1 to 1; 0 leaves as it is. */
  readonly brightness: number;
  /** Times the distance from middle grey, 0 to 3; 1 leaves as it is. */
  readonly contrast: number;
  /** Exponent 1 / gamma, 0.2 to 5; above 1 lifts the dark; 1 leaves as it is. */
  readonly gamma: number;
  /** Times the distance from grey, 0 to 3; 1 leaves as it is. */
  readonly saturation: number;
  /** The stored colour (0 to 255) that is to become white: glass. Null leaves as it is. */
  readonly white: Rgb | null;
  /** Whether the slide's ICC profile is applied, where it has one. */
  readonly profile: boolean;
  /** How the channels of a slide are mixed, in JSON an entry for each (CM8); null: as the slide says. */
  readonly mix: MixEntries | null;
  /** The entries of a stain view (SN7), which `stains.ts` reads; null: the colours of the slide. */
  readonly stain: StainEntries | null;
  /** The entries of the overlays that are shown (OV63), which `overlays/viewEntries.ts` reads; null: as the slide shows them at first. */
  readonly overlays: NamedEntries | null;
  /** Whether all focal planes are shown in one picture, computed (ZS3). */
  readonly extended: boolean;
}

export type NamedEntries = Readonly<Record<string, unknown>>;
export type StainEntries = NamedEntries;

export const plain: Adjustments = {
  brightness: 0,
  contrast: 1,
  gamma: 1,
  saturation: 1,
  white: null,
  profile: true,
  mix: null,
  stain: null,
  overlays: null,
  extended: false,
};

export type Quantity = "brightness" | "contrast" | "gamma" | "saturation";

export const LIMITS: Readonly<Record<Quantity, readonly [number, number]>> = {
  brightness: [-1, 1],
  contrast: [0, 3],
  gamma: [0.2, 5],
  saturation: [0, 3],
};

const DARKEST_WHITE = 16;

/** Whether the colours are as stored or mixed, but for the profile. */
export function isPlain(a: Adjustments): boolean {
  return (
    a.brightness === 0 &&
    a.contrast === 1 &&
    a.gamma === 1 &&
    a.saturation === 1 &&
    a.white === null &&
    a.stain === null
  );
}

/** The adjustments that are not plain, for links; null if all are. */
export function changedOf({ mix, stain, overlays, ...colours }: Adjustments): Readonly<Record<string, unknown>> | null {
  const changed = Object.entries(colours).filter(([key, value]) => value !== plain[key as keyof Adjustments]);
  const all = { ...Object.fromEntries(changed), ...mix, ...stain, ...overlays };
  return Object.keys(all).length === 0 ? null : all;
}

/** Adjustments of unknown JSON: what is missing or cannot be is plain, what goes too far is brought back; more fields are let be. */
export function parseAdjustments(value: unknown): Adjustments {
  if (typeof value !== "object" || value === null) return plain;
  const from = value as Readonly<Record<string, unknown>>;
  const mix = entriesIn(from);
  const named = (start: string): NamedEntries | null => {
    const own = Object.entries(from).filter(([name, value]) => name.startsWith(start) && value !== null);
    return own.length > 0 ? Object.fromEntries(own) : null;
  };
  const read = (key: Quantity): number => {
    const number = from[key];
    if (typeof number !== "number" || Number.isNaN(number)) return plain[key];
    const [least, most] = LIMITS[key];
    return Math.min(most, Math.max(least, number));
  };
  return {
    brightness: read("brightness"),
    contrast: read("contrast"),
    gamma: read("gamma"),
    saturation: read("saturation"),
    white: parseWhite(from.white),
    profile: from.profile !== false,
    mix: Object.keys(mix).length > 0 ? mix : null,
    stain: named("stain"),
    overlays: named("overlay"),
    extended: from.extended === true,
  };
}

function parseWhite(value: unknown): Rgb | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const white: Rgb = [Number(value[0]), Number(value[1]), Number(value[2])];
  return white.every((value) => value >= DARKEST_WHITE && value <= 255) ? white : null;
}

/** The glass as white point, if it is light enough to be glass. */
export function whiteOf(colour: Rgb): Rgb | null {
  return parseWhite(colour.map((value) => Math.round(value)));
}
