/** Draws on the processor. */
import type { OverlayTile } from "@wavescope/core/overlays/tile";
import type { Painter, Scene } from "./painter";
import { paintScene } from "./raster";

export class CanvasPainter implements Painter {
  /** Of the largest picture so far. */
  private pixels = new Uint8ClampedArray(0);

  paint(scene: Scene, tileAt: (key: string) => OverlayTile | undefined): Promise<ImageBitmap> {
    const { width, height } = scene;
    const size = 4 * width * height;
    if (this.pixels.length < size) this.pixels = new Uint8ClampedArray(size);
    const { buffer } = this.pixels;
    const words = new Uint32Array(buffer, 0, width * height).fill(0);
    paintScene({ words, width, height }, scene, tileAt);
    return createImageBitmap(new ImageData(new Uint8ClampedArray(buffer, 0, size), width, height));
  }

  forget(): void {
    return; // nothing is cached for a tile
  }

  close(): void {
    this.pixels = new Uint8ClampedArray(0);
  }
}
