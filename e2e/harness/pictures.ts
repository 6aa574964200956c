// Pictures that a test makes itself.
import { writeFileSync } from "node:fs";
import { PNG } from "pngjs";

/** Repeatable noise in 0..1 (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Disc {
  readonly l0_x: number;
  readonly l0_y: number;
  readonly radius: number;
}

/** A light, faintly grained field with one dark soft-edged disc: its centre of mass is its centre at every scale. */
export function writeFiducial(path: string, width: number, height: number, disc: Disc): void {
  const png = new PNG({ width, height, colorType: 2 });
  const random = dice(7);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const inside = disc.radius - Math.hypot(x + 0.5 - disc.l0_x, y + 0.5 - disc.l0_y);
      const depth = Math.min(1, Math.max(0, inside / 8 + 0.5)); // an edge eight pixels wide
      const grain = (random() - 0.5) * 16;
      png.data[i] = 236 - 200 * depth + grain;
      png.data[i + 1] = 228 - 196 * depth + grain;
      png.data[i + 2] = 232 - 150 * depth + grain;
      png.data[i + 3] = 255;
    }
  }
  writeFileSync(path, PNG.sync.write(png, { colorType: 2, deflateLevel: 1 }));
}
