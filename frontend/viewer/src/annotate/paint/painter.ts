/** Who draws chunks on a canvas of its own above the slide: WebGL, or the processor where there is no graphics card. */
import type { Matrix } from "./matrix";
import type { Chunk } from "./scene";

export interface Painter {
  readonly canvas: HTMLCanvasElement;
  /** Device pixels of the view. */
  resize(width: number, height: number): void;
  /** Draws all chunks in view; `ratio` is device pixels per CSS pixel. */
  draw(chunks: readonly Chunk[], matrix: Matrix, ratio: number): void;
  /** Takes an object out of a chunk that has been drawn. */
  erase(chunk: Chunk, id: string): void;
  /** This chunk will not be drawn any more. */
  forget(chunk: Chunk): void;
  /** Whether all that should be seen is. */
  readonly settled: boolean;
  /** Draws what was asked for last to its end. */
  finish(): void;
  /** Lays what is seen now over another picture of the view, device pixel for device pixel. */
  copyTo(pen: CanvasRenderingContext2D): void;
  close(): void;
}

/** CSS pixels. */
export const LINE_WIDTH = 2;
export const MARK_SIZE = 11;
const DOT_SIZE = 3;

/** How large, in CSS pixels, a chunk's objects are drawn as dots; `extent` in level-0 pixels, `scale` in device pixels per level-0 pixel. */
export const dotSizeOf = (extent: number, scale: number): number =>
  extent > 0 ? Math.max(DOT_SIZE, Math.min(4, extent * scale)) : MARK_SIZE;

/** Clears the colours of one object in a chunk's buffers; gives the spans that changed. */
export function clearSpans(
  chunk: Chunk,
  id: string,
): [keyof Pick<Chunk, "full" | "coarse" | "dots">, number, number][] {
  const span = chunk.spans.get(id);
  if (!span) return [];
  const parts: [keyof Pick<Chunk, "full" | "coarse" | "dots">, number, number][] = [
    ["full", span[0], span[1]],
    ["coarse", span[2], span[3]],
    ["dots", span[4], span[5]],
  ];
  for (const [name, start, count] of parts) {
    const colors = new Uint32Array(chunk[name].words.buffer);
    for (let i = start; i < start + count; i += 1) colors[3 * i + 2] = 0;
  }
  return parts.filter(([, , count]) => count > 0);
}
