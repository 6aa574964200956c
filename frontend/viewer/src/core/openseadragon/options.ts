/** How this microscope uses OpenSeadragon. */
import OpenSeadragon from "openseadragon";
import { COARSEST_PIXEL } from "@wavescope/core/geometry/field";
import { ExactDrawer } from "../drawer";
import { countFingers, separateSizes } from "./internals";
import type { WavescopeTileSource } from "./tileSource";

/** Device pixels per level-0 pixel at the closest view: beyond 1:1 there is nothing more to see, only more easily. */
export const CLOSEST = 4;

const NEVER = 2_000_000_000; // milliseconds; the longest timer a browser takes is 2^31 - 1

export function openViewer(element: HTMLElement, tiles: WavescopeTileSource): OpenSeadragon.Viewer {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const options = {
    element,
    tabIndex: -1, // the element itself takes the keys
    keyboardNavEnabled: false,
    drawer: ExactDrawer,
    tileSources: [tiles],
    showNavigationControl: false,
    showNavigator: false,
    animationTime: still ? 0 : 0.6,
    springStiffness: 8,
    blendTime: 0,
    minPixelRatio: COARSEST_PIXEL,
    maxZoomPixelRatio: CLOSEST / OpenSeadragon.pixelDensityRatio,
    minZoomImageRatio: 0.5,
    minScrollDeltaTime: -1, // every wheel event counts: see wheel.ts
    zoomPerDoubleClickDrag: 1.2,
    gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true, flickEnabled: !still },
    gestureSettingsTouch: { flickEnabled: !still, pinchRotate: false },
    // The engine has its own order, its own limits and its own budget in bytes.
    maxTilesPerFrame: 10_000,
    imageLoaderLimit: 0,
    maxImageCacheCount: 1_000_000,
    timeout: NEVER,
    tileRetryMax: 0,
    preserveImageSizeOnResize: true,
  };
  const viewer = OpenSeadragon(options);
  separateSizes(viewer);
  countFingers(viewer);
  return viewer;
}
