/** Which tiles of a raster a view needs, and what is drawn of each (overlays.md, OV69, OV74). In pixels of the raster. Pure. */
import type { Box } from "../geometry/shape";
import { type Drawn, MARGIN, MOST_BYTES, type ViewPlan, keyOf, tilesIn, windowOf } from "./plan";
import { type RasterInfo, tileSize, topOf } from "./rasterTile";
import type { TilePlace } from "./tile";

/** A view may touch so many tiles however small it is: they are never too many. */
const FEW = 4;

/**
 * The tiles of the finest level whose pixels are more than half a device pixel wide and whose tiles do not take more bytes than a view may,
 * or of the top. `scale`: device pixels per pixel of the raster; `before`: the level of the view before.
 */
export function planRasterView(raster: RasterInfo, box: Box, scale: number, before: number | null = null): ViewPlan {
  const top = topOf(raster);
  for (let level = Math.max(0, Math.floor(-Math.log2(scale))); level < top; level += 1) {
    const tiles = tilesIn(raster, box, level, 0);
    const most = before !== null && level < before ? MARGIN * MOST_BYTES : MOST_BYTES;
    if (tiles.length <= FEW || bytesOf(raster, tiles, level) <= most) return { detail: "raster", level, tiles };
  }
  return { detail: "raster", level: top, tiles: tilesIn(raster, box, top, 0) };
}

/** The bytes that tiles are expected to have, by the mean of their level. */
function bytesOf(raster: RasterInfo, tiles: readonly TilePlace[], level: number): number {
  const all = Math.ceil(raster.width / 2 ** level) * Math.ceil(raster.height / 2 ** level);
  const pixels = tiles.reduce((sum, place) => {
    const [width, height] = tileSize(raster, place);
    return sum + width * height;
  }, 0);
  return ((raster.bytes?.[level] ?? 0) * pixels) / all;
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
