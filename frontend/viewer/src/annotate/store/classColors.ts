/** The classes of a slide with their colours: those that have one, and those that annotations name and that have none (annotations.md, AN24). */
import type { Color, Content } from "@wavescope/core/wire/annotations/annotations";

const LEAST_CONTRAST = 3.5; // against white: visible on bright glass, and distinct from it as a swatch
const SATURATION = 0.72;
const LIGHTNESS = [0.5, 0.4, 0.31];

/** The colour of a class that has none: made of its name, dark enough to be seen on a bright slide. */
export function colorFromName(name: string): Color {
  const hash = hashOf(name);
  const hue = (hash & 0xffff) / 0x10000;
  let lightness = LIGHTNESS[(hash >>> 16) % LIGHTNESS.length]!;
  let color = fromHsl(hue, SATURATION, lightness);
  while (contrastToWhite(color) < LEAST_CONTRAST) color = fromHsl(hue, SATURATION, (lightness -= 0.02));
  return color;
}

const authorColors = new Map<string, Color>();

/** The colour of an author: made of the name, the same everywhere (annotations.md, AN50). */
export function authorColor(name: string): Color {
  const known = authorColors.get(name) ?? colorFromName(name);
  authorColors.set(name, known);
  return known;
}

/** WCAG's contrast of a colour beside white, 1 to 21. */
export function contrastToWhite(color: Color): number {
  const [red, green, blue] = color.map((part) =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

/** FNV-1a, mixed once more so that names that differ by a letter differ in hue. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const strength = saturation * Math.min(lightness, 1 - lightness);
  const part = (n: number): number => {
    const k = (n + 12 * hue) % 12;
    return Math.round(255 * (lightness - strength * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

/** Counts which classes annotations name. */
export class ClassesInUse {
  private readonly counts = new Map<string, number>();

  /** An object was `before` and is `after`; whether another set of classes is named now. */
  change(before: Content | null, after: Content | null): boolean {
    if (before?.class === after?.class) return false;
    const less = before ? this.add(before.class, -1) : false;
    const more = after ? this.add(after.class, 1) : false;
    return less || more;
  }

  /** The classes with a colour of their own, then by name those that are only named. */
  with(own: ReadonlyMap<string, Color>): ReadonlyMap<string, Color> {
    const named = [...this.counts.keys()].filter((name) => !own.has(name)).sort((a, b) => a.localeCompare(b));
    return new Map([...own, ...named.map((name) => [name, colorFromName(name)] as const)]);
  }

  private add(name: string, by: number): boolean {
    if (name === "") return false;
    const before = this.counts.get(name) ?? 0;
    if (before + by > 0) this.counts.set(name, before + by);
    else this.counts.delete(name);
    return before === 0 || before + by === 0;
  }
}
