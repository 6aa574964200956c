/** The overlays that are drawn over a microscope's slide, for what copies or describes the view. */
import type { RegionSums, Ring } from "@wavescope/core/overlays/hits";
import type { OverlayInfo } from "@wavescope/core/wire/catalog/overlaysClient";
import type { Microscope } from "../core/microscope";

export interface DrawnOverlays {
  /** Lays what is seen of them over another picture of the view. */
  copyTo(pen: CanvasRenderingContext2D): void;
  /** What is in a region of the view, of each overlay of shapes that is shown. */
  sums(ring: Ring): Promise<readonly { readonly info: OverlayInfo; readonly sums: RegionSums }[]>;
}

const drawn = new WeakMap<Microscope, DrawnOverlays>();

export const setDrawnOverlays = (microscope: Microscope, overlays: DrawnOverlays): unknown =>
  drawn.set(microscope, overlays);

/** Null: there are none. */
export const drawnOverlays = (microscope: Microscope): DrawnOverlays | null => drawn.get(microscope) ?? null;
