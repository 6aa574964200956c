import OpenSeadragon from "openseadragon";
import { levelForScale, tilesInRegion } from "@wavescope/core/geometry/field";
import { Pyramid, type Size } from "@wavescope/core/geometry/pyramid";
import type { TileHandle } from "@wavescope/core/tiles/handle";
import type { TileImage } from "@wavescope/core/tiles/pictures";
import { tileKey } from "@wavescope/core/tiles/tileRecord";
import { DamageMarks } from "./damageMarks";
import { HANDLE_TYPE } from "./handleType";
import { placementOf } from "./placement";
import { TileCompositor } from "./tileCompositor";
import { type TileRect, type Placement, rectOf, snapPlacement } from "./tileLayout";
import { thumbnailLevel } from "./thumbnail";
import type { WavescopeTileSource } from "./openseadragon/tileSource";
import { isSlanted, turnMatrix } from "./rotation";

interface Base {
  readonly level: number;
  readonly handles: readonly TileHandle[];
}

/** How far (in device pixels) the neighbours of the same level that are drawn too reach; 0 where there is none. */
interface Seams {
  readonly right: number;
  readonly bottom: number;
}

/** The slanted edge of a tile touches device pixels up to this far from it. */
const SLANTED_EDGE = 2;

/**
 * Draws handles to a 2D canvas, exactly: at 1:1 each pixel of a tile is one pixel of the canvas, unfiltered and unshifted; at
 * other scales tiles lie where they belong to a fraction of a pixel, so that nothing moves while the picture refines.
 * (OpenSeadragon's own canvas drawer stretches tiles by a pixel to hide seams, and wants a canvas per tile.)
 */
export class ExactDrawer extends OpenSeadragon.DrawerBase {
  private readonly context = this.canvas.getContext("2d")!;
  private readonly tileCompositor = new TileCompositor();
  private readonly damageMarks = new DamageMarks(this.context);
  private slanted = false;

  static override isSupported(): boolean {
    return true;
  }

  override getType(): string {
    return "wavescope";
  }

  override getSupportedDataFormats(): string[] {
    return [HANDLE_TYPE];
  }

  override canRotate(): boolean {
    return true;
  }

  /** Smoothing is chosen tile by tile. */
  override setImageSmoothingEnabled(): void {
    this.viewer.forceRedraw();
  }

  override destroy(): void {
    super.destroy();
    this.canvas.width = this.canvas.height = 1;
    this.canvas.remove();
  }

  _createDrawingElement(): HTMLCanvasElement {
    return document.createElement("canvas");
  }

  draw(tiledImages: OpenSeadragon.TiledImage[]): void {
    this.resize();
    const { width, height } = this.canvas;
    this.context.resetTransform();
    this.context.clearRect(0, 0, width, height);
    const rotation = this.viewport.getRotation(true);
    this.slanted = isSlanted(rotation);
    this.context.setTransform(...turnMatrix(width, height, rotation, this.viewport.getFlip()));
    for (const image of tiledImages) this.drawImage(image);
  }

  private resize(): void {
    const ratio = OpenSeadragon.pixelDensityRatio;
    const size = this.viewport.getContainerSize();
    const width = Math.round(size.x * ratio);
    const height = Math.round(size.y * ratio);
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }

  private drawImage(image: OpenSeadragon.TiledImage): void {
    const handles = this.handlesOf(image);
    const exactPlacement = placementOf(this.viewport, image);
    const { x: width, y: height } = image.source.dimensions;
    const pyramid = new Pyramid(width, height);
    const wanted = levelForScale(pyramid, exactPlacement.l0_scale);
    const placement = snapPlacement(exactPlacement, wanted);
    const source = image.source as WavescopeTileSource;
    const base = this.baseOf(source, pyramid, placement, wanted);
    const { baseLayer } = source;
    const underThumbnail = Math.min(pyramid.top, Math.max(thumbnailLevel(pyramid), wanted) + 1);
    if (base.level < pyramid.top) this.underlay(baseLayer.coarsest, base.level, pyramid, placement);
    for (let level = base.level; level >= 0; level -= 1) {
      const listed = handles.filter((handle) => handle.level === level);
      this.drawLevel(level, level === base.level ? inRows([...listed, ...base.handles]) : listed, placement, wanted);
      if (level === underThumbnail) this.drawThumbnail(baseLayer.thumbnailFor(wanted), pyramid, placement);
    }
    for (const handle of handles) {
      const rect = rectOf(placement, handle.level, handle.x, handle.y, handle.size);
      if (handle.damage === null) continue;
      if (!handle.picture) this.drawStandIn(source, pyramid, handle, rect);
      this.damageMarks.drawMark(rect, handle.picture !== null);
    }
  }

  /**
   * Lays the coarsest tile under a level that covers the field alone. Only hairs of it are seen: where two tiles meet, a canvas's own
   * blending may leave a pixel less than opaque. It ends where that level ends.
   */
  private underlay({ picture }: TileHandle, base: number, pyramid: Pyramid, placement: Placement): void {
    if (!picture) return;
    const { width, height } = pyramid.levelSize(base);
    const { left, top, right, bottom } = rectOf(placement, base, 0, 0, { width, height });
    const shrunk = 2 ** (pyramid.top - base);
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(
      picture.bitmap,
      0,
      0,
      width / shrunk,
      height / shrunk,
      left,
      top,
      right - left,
      bottom - top,
    );
  }

  /** Over all levels that show less, and under everything finer. */
  private drawThumbnail(thumbnail: ImageBitmap | null, pyramid: Pyramid, placement: Placement): void {
    if (!thumbnail) return;
    const level = thumbnailLevel(pyramid);
    const { left, top, right, bottom } = rectOf(placement, level, 0, 0, pyramid.levelSize(level));
    this.context.imageSmoothingEnabled = true;
    this.context.imageSmoothingQuality = "medium";
    this.context.drawImage(thumbnail, left, top, right - left, bottom - top);
    this.context.imageSmoothingQuality = "low";
  }

  /**
   * The finest level, not finer than the wanted one, whose tiles alone cover the field: what lies under it is not seen. All of its tiles
   * are drawn, also those that OpenSeadragon leaves out because finer ones are there: many levels under holes cost much more.
   */
  private baseOf(
    source: WavescopeTileSource,
    pyramid: Pyramid,
    { canvas_x, canvas_y, l0_scale }: Placement,
    wanted: number,
  ): Base {
    const { width, height } = this.canvas;
    const region = {
      l0_x: -canvas_x / l0_scale,
      l0_y: -canvas_y / l0_scale,
      l0_width: width / l0_scale,
      l0_height: height / l0_scale,
    };
    for (let level = wanted; level < pyramid.top; level += 1) {
      const field = tilesInRegion(pyramid, 0, level, region, this.viewport.getRotation(true));
      const handles = field.flatMap(({ x, y }) => source.pictured(level, x, y) ?? []);
      if (handles.length === field.length) return { level, handles };
    }
    return { level: pyramid.top, handles: [source.baseLayer.coarsest] };
  }

  private drawLevel(level: number, handles: readonly TileHandle[], placement: Placement, wanted: number): void {
    if (handles.length === 0) return;
    const scale = placement.l0_scale * 2 ** level;
    const enlarged = scale > 1 && !(level === 0 && Number.isInteger(scale));
    const wantedScale = placement.l0_scale * 2 ** wanted;
    if (enlarged) return this.tileCompositor.draw(this.context, this.visible(), placement, wantedScale, level, handles);
    const drawn = new Map(handles.map((handle) => [tileKey(level, handle.x, handle.y), handle]));
    const reach = (x: number, y: number, side: keyof Size): number =>
      (drawn.get(tileKey(level, x, y))?.size[side] ?? 0) * scale;
    for (const { x, y, size, picture } of handles) {
      const seams = { right: reach(x + 1, y, "width"), bottom: reach(x, y + 1, "height") };
      if (picture) this.drawPicture(picture.bitmap, rectOf(placement, level, x, y, size), seams);
    }
  }

  /** The part of the unturned plane that is on the canvas. */
  private visible(): { left: number; top: number; right: number; bottom: number } {
    const { width, height } = this.canvas;
    if (this.viewport.getRotation(true) % 360 === 0) return { left: 0, top: 0, right: width, bottom: height };
    const half = Math.hypot(width, height) / 2;
    return { left: width / 2 - half, top: height / 2 - half, right: width / 2 + half, bottom: height / 2 + half };
  }

  /** What OpenSeadragon wants drawn. */
  private handlesOf(image: OpenSeadragon.TiledImage): TileHandle[] {
    const drawn = image.getTilesToDraw();
    const handles: TileHandle[] = [];
    for (const { tile } of drawn) {
      const handle = this.getDataToDraw(tile) as TileHandle | undefined;
      if (handle) handles.push(handle);
    }
    return inRows(handles);
  }

  private drawStandIn(source: WavescopeTileSource, pyramid: Pyramid, handle: TileHandle, rect: TileRect): void {
    const { level, x, y } = handle;
    const ancestor = (up: number): TileHandle | null => source.pictured(level + up, x >> up, y >> up);
    this.damageMarks.drawStandIn(handle, rect, pyramid.top - level, ancestor);
  }

  /**
   * A tile whose edge lies within a device pixel covers that pixel in part, its neighbour covers the rest, and what is behind
   * would shine through. So the edge's last row of pixels is first laid under the whole device pixel (where the slide is slanted:
   * under all pixels that the edge touches): the blend of the two tiles is then exactly what their shares of the pixel demand.
   */
  private drawPicture(bitmap: TileImage, rect: TileRect, seams: Seams): void {
    const { context } = this;
    const { left, top, right, bottom } = rect;
    const { width, height } = bitmap;
    const beyond = (edge: number, reach: number): number => {
      if (this.slanted) return edge + Math.min(SLANTED_EDGE, reach);
      return reach > 0 ? Math.ceil(edge) : edge;
    };
    context.imageSmoothingEnabled = this.slanted || !rect.whole;
    const far_right = beyond(right, seams.right);
    const far_bottom = beyond(bottom, seams.bottom);
    if (far_right > right) {
      context.drawImage(bitmap, width - 1, 0, 1, height, right - 1, top, far_right - right + 1, far_bottom - top);
    }
    if (far_bottom > bottom) {
      context.drawImage(bitmap, 0, height - 1, width, 1, left, bottom - 1, far_right - left, far_bottom - bottom + 1);
    }
    context.drawImage(bitmap, 0, 0, width, height, left, top, right - left, bottom - top);
  }
}

/** Each once, every level row by row. */
function inRows(handles: readonly TileHandle[]): TileHandle[] {
  return [...new Set(handles)].sort((a, b) => a.y - b.y || a.x - b.x);
}
