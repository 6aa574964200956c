/** How the overlays of a slide are shown: what a person chose for each (overlays.md, OV45 to OV47). Pure. */
import type { Style } from "@wavescope/core/overlays/style";
import type { OverlayInfo } from "@wavescope/core/wire/catalog/overlaysClient";

export interface Settings {
  readonly visible: boolean;
  /** 0 to 1. */
  readonly opacity: number;
  readonly style: Style;
}

/** The slide is seen through a raster. */
const RASTER_OPACITY = 0.6;

/** As an overlay is shown at first. */
export function settingsFor({ classes, raster }: Pick<OverlayInfo, "classes" | "raster">, visible: boolean): Settings {
  const style: Style = {
    hidden: new Set(),
    colors: classes.map(({ color }) => color),
    byScore: raster?.kind === "values",
    map: "viridis",
    from: 0,
    to: 255,
    least: 0,
    most: 255,
    fill: 0.2,
  };
  return { visible, opacity: raster ? RASTER_OPACITY : 1, style };
}

/** A stored score in the unit of the source. */
export const scoreOf = ({ score }: Pick<OverlayInfo, "score">, stored: number): number =>
  score ? score.least + (stored * (score.most - score.least)) / 255 : 0;
