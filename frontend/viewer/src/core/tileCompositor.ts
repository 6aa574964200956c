import { type Size, TILE } from "@wavescope/core/geometry/pyramid";
import type { Picture, TileHandle } from "@wavescope/core/tiles/handle";
import type { Placement } from "./tileLayout";

interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Pixels around the visible part, so that smoothing has its neighbours at the canvas's edge too. */
const MARGIN = 2;

/**
 * A canvas weighs its neighbours in sixteenths of a pixel and rounds down: enlarging by a factor that is no power of two moves the
 * picture by 1/32 of a source pixel on the average. Up to 8 = 16 / 2 the weights are whole sixteenths, and nothing moves.
 */
const MAX_AT_ONCE = 8;

/**
 * Draws an enlarged level: its tiles are first put together pixel by pixel, then enlarged as one picture. Enlarged one by one,
 * each would end at its edge in half a pixel of its own colour, and the edges would show as lines.
 *
 * A level coarser than the wanted one is first enlarged by powers of two to (about) the wanted one's resolution, and then drawn as
 * that is: so levels agree on where things are, however coarse they are.
 */
export class TileCompositor {
  private canvases = [document.createElement("canvas"), document.createElement("canvas")];
  /** What the first canvas holds: where from, how large, composed of which pictures. */
  private composed: { name: string; pictures: readonly (Picture | null)[]; width: number; height: number } | null =
    null;

  /** `wantedScale`: device pixels per pixel of the wanted level. */
  draw(
    target: CanvasRenderingContext2D,
    visible: Bounds,
    placement: Placement,
    wantedScale: number,
    level: number,
    handles: readonly TileHandle[],
  ): void {
    const scale = placement.l0_scale * 2 ** level;
    const first = (edge: number, origin: number): number => Math.max(0, Math.floor((edge - origin) / scale) - MARGIN);
    const ln_left = first(visible.left, placement.canvas_x);
    const ln_top = first(visible.top, placement.canvas_y);
    const tilesFor = (length: number): number => Math.ceil(length / scale) + 2 * MARGIN + 1;
    const size = { width: tilesFor(visible.right - visible.left), height: tilesFor(visible.bottom - visible.top) };
    const factor = enlargement(scale, wantedScale);
    const { width, height } = this.make(
      `${level} ${ln_left} ${ln_top} ${size.width} ${size.height} ${factor}`,
      handles,
      () => {
        const composed = this.compose(handles, ln_left, ln_top, size.width, size.height);
        if (composed.width > 0 && composed.height > 0) this.enlarge(composed.width, composed.height, factor);
        return composed;
      },
    );
    if (width <= 0 || height <= 0) return;
    const left = placement.canvas_x + ln_left * scale;
    const top = placement.canvas_y + ln_top * scale;
    target.imageSmoothingEnabled = scale !== factor || !Number.isInteger(left) || !Number.isInteger(top);
    target.imageSmoothingQuality = "medium"; // weighs in full precision (see MAX_AT_ONCE); finer levels may not have it: it blurs
    target.drawImage(
      this.canvases[0]!,
      0,
      0,
      width * factor,
      height * factor,
      left,
      top,
      width * scale,
      height * scale,
    );
    target.imageSmoothingQuality = "low";
  }

  /** Makes the picture, unless it is there still: while finer tiles come the same enlarged level lies under them frame after frame. */
  private make(name: string, handles: readonly TileHandle[], work: () => Size): Size {
    const pictures = handles.map(({ picture }) => picture);
    const { composed } = this;
    if (
      composed?.name === name &&
      composed.pictures.length === pictures.length &&
      pictures.every((picture, i) => picture === composed.pictures[i])
    )
      return composed;
    this.composed = null;
    const size = work();
    this.composed = { name, pictures, width: size.width, height: size.height };
    return size;
  }

  /** Puts the tiles together; gives the size of the part that the slide reaches. */
  private compose(handles: readonly TileHandle[], ln_left: number, ln_top: number, width: number, height: number) {
    const context = this.prepare(0, width, height);
    const reach = { right: 0, bottom: 0 };
    for (const { x, y, picture } of handles) {
      if (!picture) continue;
      const { bitmap } = picture;
      context.drawImage(bitmap, x * TILE - ln_left, y * TILE - ln_top);
      reach.right = Math.max(reach.right, x * TILE - ln_left + bitmap.width);
      reach.bottom = Math.max(reach.bottom, y * TILE - ln_top + bitmap.height);
    }
    return { width: Math.min(width, reach.right), height: Math.min(height, reach.bottom) };
  }

  /** Leaves the enlarged picture in the first canvas. */
  private enlarge(width: number, height: number, factor: number): void {
    for (let done = 1; done < factor; ) {
      const step = Math.min(MAX_AT_ONCE, factor / done);
      const context = this.prepare(1, width * done * step, height * done * step);
      context.imageSmoothingEnabled = true;
      const across = width * done;
      const down = height * done;
      context.drawImage(this.canvases[0]!, 0, 0, across, down, 0, 0, across * step, down * step);
      this.canvases.reverse();
      done *= step;
    }
  }

  /** A cleared canvas. It grows in steps and never shrinks: one that changes its size with each frame is costly. */
  private prepare(which: number, width: number, height: number): CanvasRenderingContext2D {
    const canvas = this.canvases[which]!;
    const grown = (value: number): number => Math.ceil(value / 256) * 256;
    if (canvas.width < width) canvas.width = grown(width);
    if (canvas.height < height) canvas.height = grown(height);
    const context = canvas.getContext("2d")!;
    context.clearRect(0, 0, width, height);
    return context;
  }
}

/**
 * The power of two by which a level is enlarged before it is drawn: to the wanted level's resolution, or to half of it where that
 * would be many more pixels than the canvas has.
 */
export function enlargement(scale: number, wantedScale: number): number {
  const last = scale > wantedScale * 1.5 && wantedScale < Math.SQRT1_2 ? 2 * wantedScale : wantedScale;
  return 2 ** Math.max(0, Math.round(Math.log2(scale / last)));
}
