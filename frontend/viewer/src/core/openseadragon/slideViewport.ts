/** The viewport of an OpenSeadragon viewer in the slide's own terms: level-0 pixels, and device pixels of the canvas. */
import OpenSeadragon from "openseadragon";
import type { Region } from "@wavescope/core/geometry/field";
import type { Size } from "@wavescope/core/geometry/pyramid";
import { placementOf } from "../placement";
import { transform, turnMatrix } from "../rotation";
import { turned } from "../viewLink";

/** Which pixels of a level lie where on the canvas, at exactly 1:1. */
export interface Alignment {
  readonly level: number;
  /** The level's pixel in the canvas's top left corner (may be negative or beyond: then the canvas is empty there). */
  readonly ln_x: number;
  readonly ln_y: number;
  /** Size of the canvas in device pixels. */
  readonly width: number;
  readonly height: number;
}

export class SlideViewport {
  /** `slide`: its size in level-0 pixels. */
  constructor(
    private readonly viewer: OpenSeadragon.Viewer,
    private readonly slide: Size,
  ) {}

  /** The level-0 rectangle in view (where the slide is turned: before it was), and device pixels per level-0 pixel. */
  reading(current = true): { region: Region; scale: number } {
    const { viewport } = this.viewer;
    const bounds = viewport.getBoundsNoRotate(current);
    const { width } = this.slide;
    const region = {
      l0_x: bounds.x * width,
      l0_y: bounds.y * width,
      l0_width: bounds.width * width,
      l0_height: bounds.height * width,
    };
    const scale = (viewport.getContainerSize().x * OpenSeadragon.pixelDensityRatio) / region.l0_width;
    return { region, scale };
  }

  /** How the slide is turned and mirrored on the screen now. */
  turn(): { rotation: number; flip: boolean } {
    const { viewport } = this.viewer;
    return { rotation: turned(viewport.getRotation(true)), flip: viewport.getFlip() };
  }

  /** Degrees by which the slide will be turned when all motion has ended. */
  targetRotation(): number {
    return this.viewer.viewport.getRotation(false);
  }

  /** Device pixels per level-0 pixel at which the region just fits. */
  scaleToFit({ l0_width, l0_height }: Region): number {
    const css = this.viewer.viewport.getContainerSize();
    return OpenSeadragon.pixelDensityRatio * Math.min(css.x / l0_width, css.y / l0_height);
  }

  fit({ l0_x, l0_y, l0_width, l0_height }: Region, immediately: boolean): void {
    const { width } = this.slide;
    const rect = new OpenSeadragon.Rect(l0_x / width, l0_y / width, l0_width / width, l0_height / width);
    this.viewer.viewport.fitBounds(rect, immediately);
  }

  /** The region to fit so that the pixel of `level` at a level-0 point lies in the top left corner, at exactly 1:1. */
  align(l0_x: number, l0_y: number, level: number): { region: Region; alignment: Alignment } {
    const { width, height } = this.viewer.drawer.canvas;
    const ln_x = Math.floor(l0_x / 2 ** level);
    const ln_y = Math.floor(l0_y / 2 ** level);
    const ratio = OpenSeadragon.pixelDensityRatio;
    const css = this.viewer.viewport.getContainerSize();
    const size = { l0_width: css.x * ratio * 2 ** level, l0_height: css.y * ratio * 2 ** level };
    const region = { l0_x: ln_x * 2 ** level, l0_y: ln_y * 2 ** level, ...size };
    return { region, alignment: { level, ln_x, ln_y, width, height } };
  }

  /** Ends any motion where it leads to. */
  finishMotion(): void {
    const { viewport } = this.viewer;
    viewport.rotateTo(viewport.getRotation(false), undefined, true);
    viewport.zoomTo(viewport.getZoom(false), undefined, true);
    viewport.panTo(viewport.getCenter(false), true);
  }

  /** Where a level-0 point lies on the canvas, in device pixels. */
  toCanvas(image: OpenSeadragon.TiledImage, l0_x: number, l0_y: number): { canvas_x: number; canvas_y: number } {
    const { viewport } = this.viewer;
    const { canvas_x, canvas_y, l0_scale } = placementOf(viewport, image);
    const { width, height } = this.viewer.drawer.canvas;
    const matrix = turnMatrix(width, height, viewport.getRotation(true), viewport.getFlip());
    const [x, y] = transform(matrix, canvas_x + l0_x * l0_scale, canvas_y + l0_y * l0_scale);
    return { canvas_x: x, canvas_y: y };
  }
}
