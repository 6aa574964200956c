/** Draws by WebGL where there is a graphics card, else by the processor; and changes to it when WebGL turns out to be slow. */
import { CanvasPainter } from "./canvasPainter";
import type { Matrix } from "./matrix";
import type { Painter } from "./painter";
import type { Chunk } from "./scene";
import { WebglPainter } from "./webglPainter";

export class ChosenPainter implements Painter {
  private painter: WebglPainter | CanvasPainter = WebglPainter.create(surface()) ?? new CanvasPainter(surface());

  get kind(): "webgl" | "canvas" {
    return this.painter instanceof WebglPainter ? "webgl" : "canvas";
  }

  get canvas(): HTMLCanvasElement {
    return this.painter.canvas;
  }

  get settled(): boolean {
    return this.painter.settled;
  }

  resize(width: number, height: number): void {
    this.painter.resize(width, height);
  }

  draw(chunks: readonly Chunk[], matrix: Matrix, ratio: number): void {
    this.painter.draw(chunks, matrix, ratio);
    if (this.painter instanceof WebglPainter && this.painter.isSlow)
      this.giveUp(this.painter).draw(chunks, matrix, ratio);
  }

  erase(chunk: Chunk, id: string): void {
    this.painter.erase(chunk, id);
  }

  forget(chunk: Chunk): void {
    this.painter.forget(chunk);
  }

  finish(): void {
    this.painter.finish();
  }

  copyTo(pen: CanvasRenderingContext2D): void {
    this.painter.copyTo(pen);
  }

  close(): void {
    this.painter.close();
  }

  private giveUp({ canvas }: WebglPainter): CanvasPainter {
    const next = new CanvasPainter(surface());
    next.resize(canvas.width, canvas.height);
    canvas.before(next.canvas);
    this.painter.close();
    this.painter = next;
    return next;
  }
}

function surface(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.dataset.testid = "annotation-canvas";
  canvas.setAttribute("aria-hidden", "true");
  canvas.style.cssText = "position:absolute;inset:0;width:100%;height:100%;pointer-events:none";
  return canvas;
}
