/** Who draws the pictures of an overlay in the worker: WebGL, or the processor. */
import type { Drawn } from "@wavescope/core/overlays/plan";
import type { StyleTables } from "@wavescope/core/overlays/style";
import type { OverlayTile } from "@wavescope/core/overlays/tile";
import type { Matrix } from "../../annotate/paint/matrix";

/** A picture of an overlay. */
export interface Scene {
  readonly drawn: readonly Drawn[];
  /** Level-0 pixels to those of the picture. */
  readonly matrix: Matrix;
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  readonly style: StyleTables;
  /** Shapes per square level-0 pixel that have the full colour in counts (OV43). */
  readonly density: number;
}

export interface Painter {
  paint(scene: Scene, tileAt: (key: string) => OverlayTile | undefined): ImageBitmap | Promise<ImageBitmap>;
  /** A tile will not be drawn any more. */
  forget(tile: OverlayTile): void;
  close(): void;
}

/** CSS pixels. */
export const STROKE = 1.5;
/** Device pixels: shorter half axes are drawn as long. */
export const LEAST_AXIS = 0.7;
/** Of symbols. */
export const SYMBOL_ALPHA = 0.8;

/** How opaque a square of counts is. */
export const alphaOf = (shapes: number, area: number, density: number): number =>
  0.2 + 0.6 * Math.min(1, shapes / area / (density || 1));
