/**
 * Parts of OpenSeadragon that its types leave out: how many tiles it keeps and how one is dropped; the size of its container; the fingers
 * that touch it.
 */
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

/**
 * Gives the viewport a size of its own. OpenSeadragon 6.1 makes it share one object with the viewer's record of its former size: the first
 * change of the container then counts as none, and the scale changes with the width.
 */
export function separateSizes({ viewport }: OpenSeadragon.Viewer): void {
  viewport.containerSize = viewport.containerSize.clone();
}

interface WithTracker extends OpenSeadragon.Viewer {
  readonly innerTracker: OpenSeadragon.MouseTracker;
}

/**
 * Counts the fingers that touch the viewer before OpenSeadragon handles their events. OpenSeadragon 6.1 subtracts a finger twice when it is
 * lifted while another stays: that one then moves nothing, and two fingers are taken for one.
 */
export function countFingers(viewer: OpenSeadragon.Viewer): void {
  const touching = new Set<number>();
  const list = (viewer as WithTracker).innerTracker.getActivePointersListByType("touch");
  const handle = (event: PointerEvent): void => {
    if (event.pointerType !== "touch") return;
    list.contacts = touching.size;
    if (event.type === "pointerdown") touching.add(event.pointerId);
    else if (event.type !== "pointermove") touching.delete(event.pointerId);
  };
  for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const)
    viewer.container.addEventListener(type, handle, { capture: true, passive: true });
}
