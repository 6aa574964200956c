/** Shows points above the slide: the processor paints a picture somewhat larger than the view, and CSS moves it along until the next one. */
import OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { moveCanvas, placeCanvas } from "../annotate/paint/movedCanvas";
import { type RasterPlan, isExact, onRaster, planRaster } from "../annotate/paint/rasterPlan";
import { viewMatrix } from "../annotate/paint/viewMatrix";
import { type Points, nearestPoint, paintPoints, paintSelected, pointSize, pointerOn, pointsIn } from "./points";

const MARGIN = 0.15; // of the view, that a picture has beyond it on each side
const FAST = 12; // milliseconds of a picture that is painted in every frame
const PAUSE = 60; // milliseconds without a motion, after which a slow one is painted
const REACH = 5; // CSS pixels by which a point may be missed

interface Position {
  readonly x: number;
  readonly y: number;
}

export class PointLayer {
  private readonly canvas = document.createElement("canvas");
  private readonly pen = this.canvas.getContext("2d")!;
  private points: Points | null = null;
  private rows = new Uint32Array(0);
  private plan: RasterPlan | null = null;
  private cost = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly microscope: Microscope) {
    this.canvas.dataset.testid = "points-canvas";
    this.canvas.setAttribute("aria-hidden", "true");
    this.canvas.style.cssText = "position:absolute;pointer-events:none";
    microscope.viewer.canvas.append(this.canvas);
    microscope.viewer.addHandler("update-viewport", this.update);
    microscope.viewer.addOnceHandler("before-destroy", () => this.close());
  }

  get count(): number {
    return this.points?.codes.length ?? 0;
  }

  /** Milliseconds of the last picture. */
  get milliseconds(): number {
    return this.cost;
  }

  show(points: Points | null): void {
    this.points = points;
    this.rows = new Uint32Array(0);
    this.paint();
  }

  select(rows: Uint32Array<ArrayBuffer>): void {
    this.rows = rows.filter((row) => row < this.count);
    this.paint();
  }

  /** The point at a position in CSS pixels of the viewer. */
  at({ x, y }: Position): number | null {
    const ratio = OpenSeadragon.pixelDensityRatio;
    const pointer = pointerOn(viewMatrix(this.microscope), x * ratio, y * ratio, REACH * ratio);
    return this.points && nearestPoint(this.points, ...pointer);
  }

  /** The points between two corners in CSS pixels of the viewer. */
  between(one: Position, other: Position): Uint32Array<ArrayBuffer> {
    if (!this.points) return new Uint32Array(0);
    const ratio = OpenSeadragon.pixelDensityRatio;
    const [left, right] = [Math.min(one.x, other.x) * ratio, Math.max(one.x, other.x) * ratio];
    const [top, bottom] = [Math.min(one.y, other.y) * ratio, Math.max(one.y, other.y) * ratio];
    return pointsIn(this.points, viewMatrix(this.microscope), { left, top, right, bottom });
  }

  private readonly update = (): void => {
    if (!this.points || !this.microscope.viewer.isOpen()) return;
    const matrix = viewMatrix(this.microscope);
    const serves = this.plan && isExact(this.plan, matrix, this.microscope.canvas);
    if (!this.plan || (!serves && this.cost <= FAST)) return this.paint();
    moveCanvas(this.canvas, this.plan, matrix, OpenSeadragon.pixelDensityRatio);
    if (serves) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.paint(), PAUSE);
  };

  private paint(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (!this.microscope.viewer.isOpen()) return;
    this.canvas.style.display = this.points ? "" : "none";
    if (!this.points) return;
    const began = performance.now();
    const ratio = OpenSeadragon.pixelDensityRatio;
    const matrix = viewMatrix(this.microscope);
    const plan = planRaster(matrix, this.microscope.canvas, [0, 0], MARGIN);
    const { width, height } = plan;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const image = this.pen.createImageData(width, height);
    const raster = { pixels: new Uint32Array(image.data.buffer), width, height };
    const size = pointSize(matrix, ratio);
    paintPoints(raster, this.points, onRaster(plan), size);
    paintSelected(raster, this.points, this.rows, onRaster(plan), size);
    this.pen.putImageData(image, 0, 0);
    placeCanvas(this.canvas, plan, ratio);
    moveCanvas(this.canvas, plan, matrix, ratio);
    this.plan = plan;
    this.cost = performance.now() - began;
  }

  private close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.points = null;
    this.microscope.viewer.removeHandler("update-viewport", this.update);
    this.canvas.remove();
  }
}
