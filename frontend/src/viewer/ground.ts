/**
 * What lies under everything else, so that no part of the slide is ever blank: its coarsest tile, which is never given up, and
 * until that is there, the thumbnail.
 */
import type { Pyramid } from "../geometry/pyramid";
import type { TileEngine } from "../tiles/engine";
import type { Placement } from "./placing";

/** A picture of the whole slide. */
export interface GroundPicture {
  readonly image: CanvasImageSource;
  /** How many of its pixels the whole slide takes; the rest beyond is not to be shown. */
  readonly width: number;
  readonly height: number;
}

export class Ground {
  private readonly thumbnail: HTMLImageElement;

  constructor(
    private readonly pyramid: Pyramid,
    private readonly engine: TileEngine,
    thumbnailUrl: string,
    loaded: () => void,
  ) {
    this.thumbnail = new Image();
    this.thumbnail.decoding = "async";
    this.thumbnail.fetchPriority = "high";
    this.thumbnail.onload = loaded; // where it does not come, the coarsest tile does
    this.thumbnail.src = thumbnailUrl;
  }

  /** The best there is now. */
  get picture(): GroundPicture | null {
    const { top, width, height } = this.pyramid;
    const tile = this.engine.coarsest.picture;
    if (tile) return { image: tile.bitmap, width: width / 2 ** top, height: height / 2 ** top };
    const { complete, naturalWidth, naturalHeight } = this.thumbnail;
    return complete && naturalWidth > 0 ? { image: this.thumbnail, width: naturalWidth, height: naturalHeight } : null;
  }

  close(): void {
    this.thumbnail.onload = null;
    this.thumbnail.src = "";
  }
}

/** Draws the part of the ground that is visible. */
export function drawGround(
  context: CanvasRenderingContext2D,
  { image, width, height }: GroundPicture,
  slide: Pyramid,
  { canvas_x, canvas_y, l0_scale }: Placement,
  visible: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
): void {
  const left = Math.max(visible.left, canvas_x);
  const top = Math.max(visible.top, canvas_y);
  const right = Math.min(visible.right, canvas_x + slide.width * l0_scale);
  const bottom = Math.min(visible.bottom, canvas_y + slide.height * l0_scale);
  if (right <= left || bottom <= top) return;
  const across = width / (slide.width * l0_scale);
  const down = height / (slide.height * l0_scale);
  context.imageSmoothingEnabled = true;
  context.drawImage(
    image,
    (left - canvas_x) * across,
    (top - canvas_y) * down,
    (right - left) * across,
    (bottom - top) * down,
    left,
    top,
    right - left,
    bottom - top,
  );
}
