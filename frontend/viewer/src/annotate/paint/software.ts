/** Whether WebGL is drawn by the processor: there a frame with many annotations takes a second and more. */

/** Renderers that draw by the processor, by the names that browsers give them. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|lavapipe|swrast|software|basic render/i;

export const isSoftware = (renderer: string): boolean => SOFTWARE.test(renderer);

/** The name of who draws; empty where the browser does not tell. */
export function rendererOf(gl: WebGL2RenderingContext): string {
  const debugInfo = gl.getExtension("WEBGL_debug_renderer_info");
  return String(gl.getParameter(debugInfo ? debugInfo.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? "");
}

const PREPARING = 2; // frames that also upload and compile
const MEASURED = 4; // frames after them
const SLOW = 40; // milliseconds a frame

/** Measures the first frames, for renderers that no name tells of. */
export class Trial {
  private frames = 0;
  private readonly times: number[] = [];

  constructor(private readonly now: () => number) {}

  /** Begins to measure a frame; what it gives ends it. Null: no frame needs to be measured any more. */
  begin(): (() => void) | null {
    if (this.times.length === MEASURED) return null;
    const start = this.now();
    return () => {
      this.frames += 1;
      if (this.frames > PREPARING) this.times.push(this.now() - start);
    };
  }

  /** Whether every measured frame took too long: one or two may have waited for other work. */
  get isSlow(): boolean {
    return this.times.length === MEASURED && this.times.every((time) => time > SLOW);
  }
}
