/**
 * Draws chunks by the processor, where there is no graphics card. What is seen is a picture larger than the view: while the view moves, CSS moves the picture
 * along, which costs next to nothing. Another picture is drawn, in slices between frames, before the margin ends and when the view rests.
 */
import { type Matrix, sameMatrix } from "./matrix";
import { moveCanvas, placeCanvas } from "./movedCanvas";
import { type Painter, clearSpans } from "./painter";
import { type Bitmap, paintChunks } from "./raster";
import { type RasterPlan, isExact, isNear, onRaster, viewTransform, planRaster, velocityOf } from "./rasterPlan";
import type { Chunk } from "./scene";

const SETTLE_MILLISECONDS = 120; // milliseconds without another view
const SLICE = 6; // milliseconds of drawing a frame

/** What was asked for. */
interface Scene {
  readonly chunks: readonly Chunk[];
  readonly matrix: Matrix;
  readonly ratio: number;
  /** How often something was erased. */
  readonly erasures: number;
}

/** What a picture holds. */
interface Drawing extends RasterPlan {
  readonly scene: Scene;
}

export class CanvasPainter implements Painter {
  private readonly context: CanvasRenderingContext2D;
  private view = { width: 1, height: 1 };
  private scene: Scene | null = null;
  private shown: Drawing | null = null;
  private next: { readonly drawing: Drawing; readonly image: ImageData; readonly steps: Generator<void> } | null = null;
  private spare: ImageData | null = null;
  private erasures = 0;
  private velocity: readonly [number, number] = [0, 0];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private frame: number | null = null;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
    canvas.style.inset = "auto";
  }

  resize(width: number, height: number): void {
    if (this.view.width === width && this.view.height === height) return;
    this.view = { width, height };
    this.shown = this.next = this.spare = null;
    this.canvas.width = this.canvas.height = 1;
  }

  draw(chunks: readonly Chunk[], matrix: Matrix, ratio: number): void {
    const before = this.scene;
    this.scene = { chunks, matrix, ratio, erasures: this.erasures };
    if (before && !sameMatrix(before.matrix, matrix)) {
      this.velocity = velocityOf(before.matrix, matrix, this.view);
      if (this.timer !== null) clearTimeout(this.timer);
      this.timer = setTimeout(() => this.viewSettled(), SETTLE_MILLISECONDS);
    }
    this.positionCanvas();
    this.work();
  }

  erase(chunk: Chunk, id: string): void {
    clearSpans(chunk, id);
    this.erasures += 1;
  }

  forget(): void {
    return; // nothing is cached for a chunk
  }

  finish(): void {
    if (!this.scene) return;
    this.scene = { ...this.scene, erasures: this.erasures };
    if (this.shown && isCurrent(this.shown, this.scene) && isExact(this.shown, this.scene.matrix, this.view)) return;
    this.next = this.begin(this.scene, [0, 0]);
    this.paint(Infinity);
  }

  copyTo(pen: CanvasRenderingContext2D): void {
    if (!this.shown || !this.scene) return;
    const { a, b, c, d, e, f } = viewTransform(this.shown, this.scene.matrix);
    pen.save();
    pen.transform(a, b, c, d, e, f);
    pen.drawImage(this.canvas, this.shown.left, this.shown.top);
    pen.restore();
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.canvas.remove();
  }

  get settled(): boolean {
    return this.timer === null && this.next === null;
  }

  private viewSettled(): void {
    this.timer = null;
    this.velocity = [0, 0];
    this.work();
  }

  /** Goes on with the picture that is being drawn, or begins one if what is seen does not serve the view. */
  private work(): void {
    const { scene, shown } = this;
    if (!scene) return;
    const resting = this.timer === null;
    const serves = (drawing: Drawing): boolean =>
      isCurrent(drawing, scene) && (resting ? isExact : isNear)(drawing, scene.matrix, this.view);
    if (resting && this.next && !serves(this.next.drawing)) this.next = null; // moving, it is finished: else none ever would be
    if (!this.next && !(shown && serves(shown))) this.next = this.begin(scene, this.velocity);
    if (this.next) this.frame ??= requestAnimationFrame(() => this.paint(SLICE));
  }

  private begin(scene: Scene, velocity: readonly [number, number]): NonNullable<typeof this.next> {
    const drawing: Drawing = { ...planRaster(scene.matrix, this.view, velocity), scene };
    const { width, height } = drawing;
    const image =
      this.spare?.width === width && this.spare.height === height ? this.spare : new ImageData(width, height);
    this.spare = image;
    const bitmap: Bitmap = { words: new Uint32Array(image.data.buffer).fill(0), width, height };
    return { drawing, image, steps: paintChunks(bitmap, scene.chunks, onRaster(drawing), scene.ratio) };
  }

  private paint(milliseconds: number): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
    const { next } = this;
    if (!next) return;
    const end = performance.now() + milliseconds;
    let done = next.steps.next().done;
    while (!done && performance.now() < end) done = next.steps.next().done;
    if (done) this.show(next.drawing, next.image);
    this.work();
  }

  private show(drawing: Drawing, image: ImageData): void {
    const { width, height, scene } = drawing;
    this.next = null;
    this.shown = drawing;
    const { canvas } = this;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    this.context.putImageData(image, 0, 0);
    placeCanvas(canvas, drawing, scene.ratio);
    this.positionCanvas();
  }

  /** Moves the picture to where it belongs in the view. */
  private positionCanvas(): void {
    if (!this.shown || !this.scene) return;
    moveCanvas(this.canvas, this.shown, this.scene.matrix, this.scene.ratio);
  }
}

/** Whether a picture was made of these objects, as they are now. */
function isCurrent({ scene: { chunks, ratio, erasures } }: Drawing, now: Scene): boolean {
  return (
    erasures === now.erasures &&
    ratio === now.ratio &&
    chunks.length === now.chunks.length &&
    chunks.every((chunk, i) => chunk === now.chunks[i])
  );
}
