/**
 * A view of a slide as a link contains it: `#x=1000&y=2000&scale=0.5&rotation=30&flip=1&plane=2&light={...}&channels=0:FF0000:10-200:100`. Only x, y (the
 * centre, in level-0 pixels) and scale are required. Parts that are unknown are passed over and parts that make no sense count
 * as not given, so that older pages read newer links and the other way round.
 */

import { entriesIn, entriesOfText, textOfEntries } from "@wavescope/core/tiles/channels/mixEntries";

/** Plain JSON of the light and colour adjustments; what it means, light/ knows. */
export type Adjustments = Readonly<Record<string, unknown>>;

export interface ViewLink {
  /** The centre of the view. */
  readonly l0_x: number;
  readonly l0_y: number;
  /** Device pixels per level-0 pixel. */
  readonly scale: number;
  /** Degrees by which the slide is turned on the screen, clockwise, in [0, 360). */
  readonly rotation: number;
  /** Whether the (turned) picture is mirrored left to right. */
  readonly flip: boolean;
  readonly plane: number;
  /** Null: the slide as it is. */
  readonly adjustments: Adjustments | null;
}

/** Scales beyond this are invalid. */
const LARGEST_SCALE = 64;
const LONGEST_ADJUSTMENTS = 4000;
const LONGEST_CHANNELS = 4000;

export function parseViewLink(hash: string): ViewLink | null {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  const read = (key: string): number => (query.get(key) ? Number(query.get(key)) : NaN);
  const [l0_x, l0_y, scale] = [read("x"), read("y"), read("scale")];
  if (![l0_x, l0_y, scale].every(Number.isFinite) || scale <= 0 || scale > LARGEST_SCALE) return null;
  const [rotation, plane] = [read("rotation"), read("plane")];
  return {
    l0_x,
    l0_y,
    scale,
    rotation: Number.isFinite(rotation) ? turned(rotation) : 0,
    flip: query.get("flip") === "1",
    plane: plane >= 0 && Number.isFinite(plane) ? Math.round(plane) : 0,
    adjustments: parseAdjustments(query.get("light"), query.get("channels")),
  };
}

/** The link's part from `#` on. */
export function viewLinkHash(viewLink: ViewLink): string {
  const parts = [
    `x=${trim(viewLink.l0_x, 1)}`,
    `y=${trim(viewLink.l0_y, 1)}`,
    `scale=${Number(viewLink.scale.toPrecision(6))}`,
  ];
  const rotation = trim(turned(viewLink.rotation), 2);
  if (rotation !== 0) parts.push(`rotation=${rotation}`);
  if (viewLink.flip) parts.push("flip=1");
  if (viewLink.plane > 0) parts.push(`plane=${viewLink.plane}`);
  const mix = entriesIn(viewLink.adjustments ?? {});
  const light = Object.entries(viewLink.adjustments ?? {}).filter(([name]) => !(name in mix));
  if (light.length > 0) parts.push(`light=${encodeURIComponent(JSON.stringify(Object.fromEntries(light)))}`);
  if (Object.keys(mix).length > 0) parts.push(`channels=${textOfEntries(mix)}`);
  return `#${parts.join("&")}`;
}

/** The same turn in [0, 360). */
export function turned(degrees: number): number {
  return ((degrees % 360) + 360) % 360;
}

function trim(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function parseAdjustments(light: string | null, channels: string | null): Adjustments | null {
  const mix = channels === null || channels.length > LONGEST_CHANNELS ? {} : entriesOfText(channels);
  const all = { ...parseLight(light), ...mix };
  return Object.keys(all).length === 0 ? null : all;
}

function parseLight(text: string | null): Adjustments | null {
  if (text === null || text.length > LONGEST_ADJUSTMENTS) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Adjustments) : null;
  } catch {
    return null;
  }
}
