/** What OpenSeadragon keeps of its tiles without telling: how many, and how one is given up. */
import type OpenSeadragon from "openseadragon";

interface Tile {
  loaded: boolean;
  unload(erase: boolean): void;
}

interface WithMatrix extends OpenSeadragon.TiledImage {
  readonly tilesMatrix: Record<number, Record<number, Record<number, Tile>>>;
}

export function cachedTileCount(viewer: OpenSeadragon.Viewer): number {
  return viewer.tileCache.numTilesLoaded();
}

/** Makes it forget a tile, if it has it loaded: by itself it keeps every tile ever seen. */
export function dropTile(image: OpenSeadragon.TiledImage | null, osd_level: number, x: number, y: number): void {
  const matrix = (image as WithMatrix | null)?.tilesMatrix;
  const column = matrix?.[osd_level]?.[x];
  const tile = column?.[y];
  if (!column || !tile?.loaded) return;
  tile.unload(true);
  Reflect.deleteProperty(column, y);
}
