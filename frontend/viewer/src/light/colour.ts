/** What the adjustments do to one colour: the arithmetic that the shader repeats, and the tables made of it. Pure. */
import type { Adjustments, Rgb } from "./adjustments";

/** Rec. 709 weights of what the eye takes for brightness. */
export const LUMA: Rgb = [0.2126, 0.7152, 0.0722];

/** Colours by colour: a cube of `nodes`^3 entries, red fastest, 3 bytes each; node i stands for the value 255 i / (nodes - 1). */
export interface ColourTable {
  readonly nodes: number;
  readonly rgb: Uint8Array;
}

/** What white becomes: the factors that bring the glass, as the profile shows it, to 1. */
export function gainsOf(white: Rgb | null, profile: ColourTable | null): Rgb {
  if (!white) return [1, 1, 1];
  const shown = profile ? lookUp(profile, white) : white;
  return [255 / Math.max(1, shown[0]), 255 / Math.max(1, shown[1]), 255 / Math.max(1, shown[2])];
}

/** A colour (0 to 1, after the profile) with the light adjusted: white point, brightness and contrast, gamma, saturation. */
export function adjust(colour: Rgb, a: Adjustments, gains: Rgb): Rgb {
  const toned = mapRgb(colour, (value, i) => {
    const lit = (Math.min(1, value * gains[i]!) - 0.5) * a.contrast + 0.5 + a.brightness;
    return Math.min(1, Math.max(0, lit)) ** (1 / a.gamma);
  });
  const grey = toned[0] * LUMA[0] + toned[1] * LUMA[1] + toned[2] * LUMA[2];
  return mapRgb(toned, (value) => Math.min(1, Math.max(0, grey + (value - grey) * a.saturation)));
}

function mapRgb([red, green, blue]: Rgb, work: (value: number, channel: number) => number): Rgb {
  return [work(red, 0), work(green, 1), work(blue, 2)];
}

/** A table's answer (0 to 255) for a colour (0 to 255), between the nodes by straight lines. */
export function lookUp({ nodes, rgb }: ColourTable, colour: Rgb): Rgb {
  const out: [number, number, number] = [0, 0, 0];
  const last = nodes - 1;
  const position = colour.map((value) => (value * last) / 255);
  const low = position.map((value) => Math.min(last - 1, Math.floor(value)));
  for (let corner = 0; corner < 8; corner++) {
    let weight = 1;
    let entry = 0;
    for (let axis = 2; axis >= 0; axis--) {
      const high = (corner >> axis) & 1;
      const part = position[axis]! - low[axis]!;
      weight *= high ? part : 1 - part;
      entry = entry * nodes + low[axis]! + high;
    }
    if (weight === 0) continue;
    for (let channel = 0; channel < 3; channel++) out[channel]! += weight * rgb[3 * entry + channel]!;
  }
  return out;
}

/** Profile and adjustments as one table. */
export function bake(profile: ColourTable | null, a: Adjustments, nodes: number): ColourTable {
  const rgb = new Uint8Array(3 * nodes ** 3);
  const gains = gainsOf(a.white, profile);
  const step = 255 / (nodes - 1);
  let at = 0;
  for (let blue = 0; blue < nodes; blue++) {
    for (let green = 0; green < nodes; green++) {
      for (let red = 0; red < nodes; red++) {
        const stored: Rgb = [red * step, green * step, blue * step];
        const shown = profile ? lookUp(profile, stored) : stored;
        const made = adjust([shown[0] / 255, shown[1] / 255, shown[2] / 255], a, gains);
        for (const value of made) rgb[at++] = Math.round(255 * value);
      }
    }
  }
  return { nodes, rgb };
}

/** Passes RGBA pixels through a table, in place; the alpha stays. Between nodes as `lookUp`, without its objects. */
export function applyTable({ nodes, rgb }: ColourTable, rgba: Uint8ClampedArray): void {
  const scale = (nodes - 1) / 255;
  const last = nodes - 2;
  const [dx, dy, dz] = [3, 3 * nodes, 3 * nodes * nodes];
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] === 0) continue;
    const x = rgba[i]! * scale;
    const y = rgba[i + 1]! * scale;
    const z = rgba[i + 2]! * scale;
    const ix = Math.min(last, x | 0);
    const iy = Math.min(last, y | 0);
    const iz = Math.min(last, z | 0);
    const [fx, fy, fz] = [x - ix, y - iy, z - iz];
    const base = ix * dx + iy * dy + iz * dz;
    for (let c = 0; c < 3; c++) {
      const o = base + c;
      const near = mix(mix(rgb[o]!, rgb[o + dx]!, fx), mix(rgb[o + dy]!, rgb[o + dy + dx]!, fx), fy);
      const far = mix(mix(rgb[o + dz]!, rgb[o + dz + dx]!, fx), mix(rgb[o + dz + dy]!, rgb[o + dz + dy + dx]!, fx), fy);
      rgba[i + c] = mix(near, far, fz);
    }
  }
}

function mix(a: number, b: number, part: number): number {
  return a + (b - a) * part;
}
