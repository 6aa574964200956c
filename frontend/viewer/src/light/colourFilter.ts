/** A colour filter lies over the drawn canvas and shows its colours changed. The canvas below keeps the stored pixels. */
import { type Adjustments, isPlain } from "./adjustments";
import { type ColourTable, applyTable, bake } from "./colour";

/** What is computed of the stored colours before they are adjusted: by the graphics processor and by the processor the same bytes. */
export interface Stage {
  /** What the user reads of it. */
  readonly name: string;
  /** GLSL of `vec3 staged(vec3 colour)`. */
  readonly shader: string;
  /** Gives the program what its shader reads. */
  bind(gl: WebGL2RenderingContext, program: WebGLProgram): void;
  /** Changes RGBA pixels in place; the alpha stays. */
  apply(rgba: Uint8ClampedArray): void;
}

export interface ColourFilter {
  readonly canvas: HTMLCanvasElement;
  readonly kind: "gpu" | "cpu";
  set(profile: ColourTable | null, adjustments: Adjustments, stage?: Stage | null): void;
  /** Shows what the canvas below holds now. `moving`: speed counts more than sharpness. */
  show(source: HTMLCanvasElement, moving: boolean): void;
  close(): void;
}

/** Enough for the smooth curves that adjustments are; small enough to be made anew at every step of a slider. */
const NODES = 33;

/** For browsers without WebGL2: every pixel by the processor, at half the resolution while the view moves. */
export class CpuColourFilter implements ColourFilter {
  readonly kind = "cpu";
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d", { willReadFrequently: true })!;
  private stage: Stage | null = null;
  private table: ColourTable | null = null;

  set(profile: ColourTable | null, adjustments: Adjustments, stage: Stage | null = null): void {
    this.stage = stage;
    this.table = stage && isPlain(adjustments) ? null : bake(profile, adjustments, NODES);
  }

  show(source: HTMLCanvasElement, moving: boolean): void {
    if (!(this.table || this.stage) || source.width === 0 || source.height === 0) return;
    const width = moving ? Math.ceil(source.width / 2) : source.width;
    const height = moving ? Math.ceil(source.height / 2) : source.height;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.context.globalCompositeOperation = "copy";
    this.context.drawImage(source, 0, 0, width, height);
    const pixels = this.context.getImageData(0, 0, width, height);
    this.stage?.apply(pixels.data);
    if (this.table) applyTable(this.table, pixels.data);
    this.context.putImageData(pixels, 0, 0);
  }

  close(): void {
    this.canvas.width = this.canvas.height = 1;
    this.canvas.remove();
  }
}
