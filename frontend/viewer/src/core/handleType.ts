/**
 * OpenSeadragon's cache holds a TileHandle per tile, under this type. Our drawer draws from the handle; code that needs another
 * format gets the best pixels there are at that moment.
 */
import OpenSeadragon from "openseadragon";
import type { TileHandle } from "@wavescope/core/tiles/handle";

export const HANDLE_TYPE = "wavescope.tile";

/** `forgotten` is called when OpenSeadragon has dropped its last reference. */
export function registerHandleType(forgotten: (handle: TileHandle) => void): void {
  const { converter } = OpenSeadragon;
  listeners.add(forgotten);
  if (converter.existsType(HANDLE_TYPE)) return;
  converter.learn(HANDLE_TYPE, "imageBitmap", (_tile, handle: TileHandle) => copyOf(handle), 1, 1);
  converter.learn(HANDLE_TYPE, HANDLE_TYPE, (_tile, handle: TileHandle) => handle.retain(), 0, 1);
  converter.learnDestroy(HANDLE_TYPE, (handle: TileHandle) => {
    handle.release();
    if (!handle.inUse) for (const listener of listeners) listener(handle);
  });
}

const listeners = new Set<(handle: TileHandle) => void>();

export function unregisterHandles(forgotten: (handle: TileHandle) => void): void {
  listeners.delete(forgotten);
}

/** A copy, because the receiver owns what it gets and the handle's picture may be replaced at any time. */
function copyOf(handle: TileHandle): Promise<ImageBitmap> {
  if (!handle.picture) return Promise.reject(new Error("the tile has no picture"));
  return createImageBitmap(handle.picture.bitmap, { colorSpaceConversion: "none", premultiplyAlpha: "premultiply" });
}
