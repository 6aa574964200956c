/** OpenSeadragon counts levels from the coarsest: this file alone converts. */
import type { Pyramid } from "@wavescope/core/geometry/pyramid";

export function osdLevelOf(pyramid: Pyramid, level: number): number {
  return pyramid.top - level;
}

export function levelOf(pyramid: Pyramid, osd_level: number): number {
  return pyramid.top - osd_level;
}
