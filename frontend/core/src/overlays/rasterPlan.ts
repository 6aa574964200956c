/** Which tiles of a raster a view needs, and what is drawn of each (overlays.md, OV69). In pixels of the raster. Pure. */
import type { Box } from "../geometry/shape";
import { type Drawn, type ViewPlan, keyOf, tilesIn, windowOf } from "./plan";
import { type RasterInfo, topOf } from "./rasterTile";
import type { TilePlace } from "./tile";

/** The tiles of the finest level whose pixels are more than half a device pixel wide, or of the top. `scale`: device pixels per pixel of the raster. */
export function planRasterView(raster: RasterInfo, box: Box, scale: number): ViewPlan {
  const level = Math.min(topOf(raster), Math.max(0, Math.floor(-Math.log2(scale))));
  return { detail: "raster", level, tiles: tilesIn(raster, box, level, 0) };
}

/** The tiles that are here; for one that is missing, its part of the nearest one above it. */
export function drawnRaster(
  { tiles }: ViewPlan,
  top: number,
  stateOf: (key: string) => "here" | "empty" | "missing",
): readonly Drawn[] {
  return tiles.flatMap((place): readonly Drawn[] => {
    const key = keyOf(place);
    const state = stateOf(key);
    if (state === "here") return [{ key, part: "raster", window: null }];
    const above = state === "missing" ? tileAbove(place, top, stateOf) : null;
    return above ? [{ key: above, part: "raster", window: windowOf(place) }] : [];
  });
}

function tileAbove(
  { level, x, y }: TilePlace,
  top: number,
  stateOf: (key: string) => "here" | "empty" | "missing",
): string | null {
  for (let up = 1; level + up <= top; up += 1) {
    const key = keyOf({ level: level + up, x: x >> up, y: y >> up });
    if (stateOf(key) === "here") return key;
  }
  return null;
}
