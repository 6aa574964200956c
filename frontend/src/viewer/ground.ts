/**
 * What lies under everything else, so that no part of the slide is ever blank: its coarsest tile, which is never given up, and
 * until that is there, the thumbnail, which has the same size and lies in the same place.
 */
import type { Pyramid } from "../geometry/pyramid";
import type { TileEngine } from "../tiles/engine";
import { TileHandle } from "../tiles/handle";
import type { Manifest } from "../wire/manifest";

const SMALLEST = 16;

/** The overview's picture too: one request serves both. */
export function thumbnailUrl(manifest: Manifest, pyramid: Pyramid): string {
  const { width, height } = pyramid.levelSize(pyramid.top);
  return `${manifest.url}/thumbnail?max=${Math.max(SMALLEST, width, height)}`;
}

export class Ground {
  private readonly image = new Image();
  private readonly stopgap: TileHandle;
  private closed = false;

  constructor(
    private readonly engine: TileEngine,
    pyramid: Pyramid,
    url: string,
    private readonly loaded: () => void,
  ) {
    this.stopgap = new TileHandle(pyramid.top, 0, 0, pyramid.levelSize(pyramid.top));
    this.image.fetchPriority = "high";
    this.image.onload = () => void this.take(); // where it does not come, the coarsest tile does
    this.image.src = url;
  }

  /** The best there is now; it may be without a picture. */
  get tile(): TileHandle {
    const { coarsest } = this.engine;
    return coarsest.picture ? coarsest : this.stopgap;
  }

  close(): void {
    this.closed = true;
    this.stopgap.show(null);
  }

  private async take(): Promise<void> {
    const { width, height } = this.stopgap.size;
    if (this.image.naturalWidth !== width || this.image.naturalHeight !== height) return;
    const bitmap = await createImageBitmap(this.image, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
    if (this.closed) return bitmap.close();
    this.stopgap.show({ bitmap, z: -1, layers: 0 });
    this.loaded();
  }
}
