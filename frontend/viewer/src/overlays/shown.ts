/** The overlays that are drawn over a microscope's slide, for what copies the view. */
import type { Microscope } from "../core/microscope";

export interface DrawnOverlays {
  /** Lays what is seen of them over another picture of the view. */
  copyTo(pen: CanvasRenderingContext2D): void;
}

const drawn = new WeakMap<Microscope, DrawnOverlays>();

export const setDrawnOverlays = (microscope: Microscope, overlays: DrawnOverlays): unknown =>
  drawn.set(microscope, overlays);

/** Null: there are none. */
export const drawnOverlays = (microscope: Microscope): DrawnOverlays | null => drawn.get(microscope) ?? null;
