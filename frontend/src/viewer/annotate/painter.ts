/** Who draws chunks on a canvas of its own above the slide: WebGL, or a 2D context where there is none. */
import type { Matrix } from "./matrix";
import type { Chunk } from "./scene";

export interface Painter {
  readonly canvas: HTMLCanvasElement;
  /** Device pixels of the canvas. */
  resize(width: number, height: number): void;
  /** Draws all chunks in view; `ratio` is device pixels per CSS pixel. */
  draw(chunks: readonly Chunk[], matrix: Matrix, ratio: number): void;
  /** Takes an object out of a chunk that has been drawn. */
  erase(chunk: Chunk, id: string): void;
  /** This chunk will not be drawn any more. */
  forget(chunk: Chunk): void;
  /** Whether all that should be seen is. */
  readonly settled: boolean;
  close(): void;
}

/** CSS pixels. */
export const LINE_WIDTH = 2;
export const MARK_SIZE = 11;
export const DOT_SIZE = 3;

/** Clears the colours of one object in a chunk's buffers; gives the spans that changed. */
export function clearSpans(chunk: Chunk, id: string): [keyof Pick<Chunk, "full" | "coarse" | "dots">, number, number][] {
  const span = chunk.spans.get(id);
  if (!span) return [];
  const parts: [keyof Pick<Chunk, "full" | "coarse" | "dots">, number, number][] = [["full", span[0], span[1]], ["coarse", span[2], span[3]], ["dots", span[4], span[5]]];
  for (const [name, start, count] of parts) {
    const colors = new Uint32Array(chunk[name].words.buffer);
    for (let i = start; i < start + count; i += 1) colors[3 * i + 2] = 0;
  }
  return parts.filter(([, , count]) => count > 0);
}
