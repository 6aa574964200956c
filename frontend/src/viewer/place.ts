/** The place in a slide as the address bar carries it: `#x=1000&y=2000&scale=0.5&plane=2` (centre in level-0 pixels). */
import type { Region } from "../geometry/field";

export interface Place {
  readonly l0_x: number;
  readonly l0_y: number;
  /** Device pixels per level-0 pixel. */
  readonly scale: number;
  readonly plane: number;
}

export function parsePlace(hash: string): Place | null {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  const read = (key: string): number => Number(query.get(key) ?? NaN);
  const place = { l0_x: read("x"), l0_y: read("y"), scale: read("scale"), plane: query.has("plane") ? read("plane") : 0 };
  const sound = Object.values(place).every(Number.isFinite) && place.scale > 0 && place.scale <= 64 && place.plane >= 0;
  return sound ? { ...place, plane: Math.round(place.plane) } : null;
}

export function placeHash(region: Region, scale: number, plane: number): string {
  const x = Math.round(region.l0_x + region.l0_width / 2);
  const y = Math.round(region.l0_y + region.l0_height / 2);
  const where = `#x=${x}&y=${y}&scale=${Number(scale.toPrecision(5))}`;
  return plane > 0 ? `${where}&plane=${plane}` : where;
}
