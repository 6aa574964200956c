import type { Place } from "@wavescope/viewer/core/opening";

/** Where this page shows a slide now. */
export function placeNow(): Place {
  const [{ search, hash }, { innerWidth: width, innerHeight: height, devicePixelRatio: pixelRatio }] = [
    location,
    window,
  ];
  return { search, hash, width, height, pixelRatio };
}
