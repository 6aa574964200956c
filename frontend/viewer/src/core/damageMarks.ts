/** How a damaged tile looks: the stand-in for its picture and the mark over it. */
import { type TileRect, partOfAncestor } from "./tileLayout";
import type { TileHandle } from "@wavescope/core/tiles/handle";

/** Where nothing coarser can be shown either. */
const GREY = "#8d8d8d";
/** Laid over the coarser picture of a stand-in. */
const DIMMING = "rgb(60 60 60 / 50%)";
const RED = "#c62828";
/** Sides of the repeated piece of hatching, in device pixels. */
const HATCH_PERIOD = 24;

export class DamageMarks {
  private hatch: CanvasPattern | null = null;

  constructor(private readonly context: CanvasRenderingContext2D) {}

  /**
   * Draws the damaged tile's part of its finest ancestor that has a picture, dimmed; grey where there is none. `ancestor` gives the
   * ancestor so many levels above the tile, null where it has no picture; `levels`: how many there are.
   */
  drawStandIn(
    handle: TileHandle,
    { left, top, right, bottom }: TileRect,
    levels: number,
    ancestor: (up: number) => TileHandle | null,
  ): void {
    const { context } = this;
    context.fillStyle = GREY;
    context.fillRect(left, top, right - left, bottom - top);
    for (let up = 1; up <= levels; up += 1) {
      const picture = ancestor(up)?.picture;
      if (!picture) continue;
      const part = partOfAncestor(handle, up);
      const width = Math.min(part.width, picture.bitmap.width - part.x);
      const height = Math.min(part.height, picture.bitmap.height - part.y);
      context.imageSmoothingEnabled = true;
      context.drawImage(picture.bitmap, part.x, part.y, width, height, left, top, right - left, bottom - top);
      context.fillStyle = DIMMING;
      context.fillRect(left, top, right - left, bottom - top);
      return;
    }
  }

  /** Hatches and frames the tile: it must not be mistaken for glass or tissue. */
  drawMark({ left, top, right, bottom }: TileRect, overPicture: boolean): void {
    const { context } = this;
    this.hatch ??= hatching(context);
    context.save();
    context.globalAlpha = overPicture ? 0.35 : 0.6;
    context.fillStyle = this.hatch!;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
    context.strokeStyle = RED;
    context.lineWidth = 2;
    context.strokeRect(left + 1, top + 1, right - left - 2, bottom - top - 2);
    context.restore();
  }
}

function hatching(context: CanvasRenderingContext2D): CanvasPattern | null {
  const tile = document.createElement("canvas");
  tile.width = tile.height = HATCH_PERIOD;
  const pen = tile.getContext("2d")!;
  pen.strokeStyle = RED;
  pen.lineWidth = 4;
  for (const shift of [-HATCH_PERIOD, 0, HATCH_PERIOD]) {
    pen.beginPath();
    pen.moveTo(shift - 2, HATCH_PERIOD + 2);
    pen.lineTo(shift + HATCH_PERIOD + 2, -2);
    pen.stroke();
  }
  return context.createPattern(tile, "repeat");
}
