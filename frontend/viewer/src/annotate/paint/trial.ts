/** Measures the first frames of WebGL: where the processor draws for it under an unknown name, a frame with many annotations takes a second and more. */

const PREPARING = 2; // frames that also upload and compile
const MEASURED = 4; // frames after them
const SLOW = 40; // milliseconds a frame

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
