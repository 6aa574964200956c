/** Draws on the processor. */
import type { OverlayTile } from "@wavescope/core/overlays/tile";
import type { Painter, Scene } from "./painter";
import { paintScene } from "./raster";

export class CanvasPainter implements Painter {
  private image: ImageData | null = null;

  paint(scene: Scene, tileAt: (key: string) => OverlayTile | undefined): Promise<ImageBitmap> {
    const { width, height } = scene;
    if (this.image?.width !== width || this.image.height !== height) this.image = new ImageData(width, height);
    const words = new Uint32Array(this.image.data.buffer).fill(0);
    paintScene({ words, width, height }, scene, tileAt);
    return createImageBitmap(this.image);
  }

  forget(): void {
    return; // nothing is cached for a tile
  }

  close(): void {
    this.image = null;
  }
}
