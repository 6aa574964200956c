/** What lies under everything else, so that no part of the slide is ever blank: its coarsest tile, which is never given up, and its thumbnail. */
import type { TileEngine } from "@wavescope/core/tiles/engine";
import type { TileHandle } from "@wavescope/core/tiles/handle";

/** Enlarged more than so, the thumbnail does not show everything in the very position where finer tiles have it. */
const MOST_ENLARGED = 8;

export class BaseLayer {
  private picture: ImageBitmap | null = null;
  private closed = false;

  constructor(
    private readonly engine: TileEngine,
    /** The plane and the variant that the thumbnail shows. */
    private readonly plane: number,
    private readonly variant: string | undefined,
    private readonly image: HTMLImageElement,
    private readonly loaded: () => void,
  ) {
    void this.load(); // where it does not come, the coarsest tile does
  }

  /** It may be without a picture. */
  get coarsest(): TileHandle {
    return this.engine.coarsest;
  }

  /**
   * The whole slide, sharper than its coarsest tile; null while it is not there, where the coarsest tile is all that is wanted, and on planes
   * and in variants that it does not show. Better than nothing it is, unless it is enlarged too far.
   */
  thumbnailFor(wanted: number): ImageBitmap | null {
    const { coarsest, plane, variant } = this.engine;
    if (this.picture && coarsest.size.width * 2 ** (coarsest.level - wanted) > MOST_ENLARGED * this.picture.width)
      return null;
    const isOther = plane !== this.plane || variant !== this.variant;
    return coarsest.picture && (wanted === coarsest.level || isOther) ? null : this.picture;
  }

  close(): void {
    this.closed = true;
    this.picture?.close();
    this.picture = null;
  }

  private async load(): Promise<void> {
    if (!this.image.complete)
      await new Promise((resolve) => this.image.addEventListener("load", resolve, { once: true }));
    if (this.closed || this.image.naturalWidth === 0) return;
    const picture = await createImageBitmap(this.image, {
      colorSpaceConversion: "none",
      premultiplyAlpha: "premultiply",
    });
    if (this.closed) return picture.close();
    this.picture = picture;
    this.loaded();
  }
}
