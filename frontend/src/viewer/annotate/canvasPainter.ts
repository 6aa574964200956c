/**
 * Draws chunks with a 2D context where there is no WebGL. While the view moves, the picture of the last rest is moved along by CSS, which
 * costs nothing; what it lacks is drawn when the view rests.
 */
import { type Matrix, onCanvas, scaleOf, visibleBox } from "./matrix";
import { DOT_SIZE, LINE_WIDTH, MARK_SIZE, type Painter, clearSpans } from "./painter";
import { type Chunk, type Strokes, detailFor, touches } from "./scene";

const REST = 120; // milliseconds without a frame

export class CanvasPainter implements Painter {
  private readonly context: CanvasRenderingContext2D;
  private painted: Matrix | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
    canvas.style.transformOrigin = "0 0";
  }

  resize(width: number, height: number): void {
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.painted = null;
  }

  draw(chunks: readonly Chunk[], matrix: Matrix, ratio: number): void {
    this.stopWaiting();
    if (!this.painted || same(this.painted, matrix)) return this.paint(chunks, matrix, ratio);
    this.canvas.style.transform = cssBetween(this.painted, matrix, ratio);
    this.timer = setTimeout(() => this.paint(chunks, matrix, ratio), REST);
  }

  erase(chunk: Chunk, id: string): void {
    clearSpans(chunk, id);
  }

  forget(): void {
    return; // nothing is kept of a chunk
  }

  close(): void {
    this.stopWaiting();
    this.canvas.remove();
  }

  get settled(): boolean {
    return this.timer === null;
  }

  private stopWaiting(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private paint(chunks: readonly Chunk[], matrix: Matrix, ratio: number): void {
    const { width, height } = this.canvas;
    this.stopWaiting();
    this.painted = matrix;
    this.canvas.style.transform = "";
    this.context.clearRect(0, 0, width, height);
    this.context.lineWidth = LINE_WIDTH * ratio;
    this.context.lineJoin = "round";
    const view = visibleBox(matrix, width, height, MARK_SIZE * ratio);
    const scale = scaleOf(matrix);
    for (const chunk of chunks) {
      if (!touches(chunk.box, view)) continue;
      const detail = detailFor(chunk.extent, scale);
      if (detail === "dots") this.dots(chunk, matrix, (chunk.extent > 0 ? DOT_SIZE : MARK_SIZE) * ratio);
      else this.lines(chunk[detail], chunk.origin, matrix);
    }
  }

  private lines({ words, count }: Strokes, [x0, y0]: readonly [number, number], matrix: Matrix): void {
    const colors = new Uint32Array(words.buffer);
    let color = 0; // of the segment that leads to the next vertex
    let ink = 0;
    for (let i = 0; i < count; i += 1) {
      const [x, y] = onCanvas(matrix, words[3 * i] + x0, words[3 * i + 1] + y0);
      const next = colors[3 * i + 2];
      if (color !== 0) this.context.lineTo(x, y);
      else if (next !== 0) {
        if (next !== ink) ink = this.take(ink, next);
        this.context.moveTo(x, y);
      }
      color = next;
    }
    if (ink !== 0) this.context.stroke();
  }

  /** Strokes what was drawn in one colour and begins with another. */
  private take(ink: number, next: number): number {
    if (ink !== 0) this.context.stroke();
    this.context.beginPath();
    this.context.strokeStyle = cssColor(next);
    return next;
  }

  private dots({ dots: { words, count }, origin }: Chunk, matrix: Matrix, size: number): void {
    const colors = new Uint32Array(words.buffer);
    for (let i = 0; i < count; i += 1) {
      if (colors[3 * i + 2] === 0) continue;
      const [x, y] = onCanvas(matrix, words[3 * i] + origin[0], words[3 * i + 1] + origin[1]);
      this.context.fillStyle = cssColor(colors[3 * i + 2]);
      this.context.beginPath();
      this.context.arc(x, y, size / 2, 0, 2 * Math.PI);
      this.context.fill();
    }
  }
}

const same = (a: Matrix, b: Matrix): boolean => a.a === b.a && a.b === b.b && a.c === b.c && a.d === b.d && a.e === b.e && a.f === b.f;

function cssColor(color: number): string {
  return `rgb(${color & 255} ${(color >> 8) & 255} ${(color >> 16) & 255})`;
}

/** The CSS transform that brings a picture made with one matrix to where the other would have put it. */
function cssBetween(from: Matrix, to: Matrix, ratio: number): string {
  const whole = from.a * from.d - from.b * from.c;
  const [ia, ib, ic, id] = [from.d / whole, -from.b / whole, -from.c / whole, from.a / whole];
  const [a, b] = [to.a * ia + to.c * ib, to.b * ia + to.d * ib];
  const [c, d] = [to.a * ic + to.c * id, to.b * ic + to.d * id];
  const [e, f] = [to.e - a * from.e - c * from.f, to.f - b * from.e - d * from.f];
  return `matrix(${a}, ${b}, ${c}, ${d}, ${e / ratio}, ${f / ratio})`;
}
