/** Draws chunks with WebGL 2: the vertices lie on the GPU; a frame costs one matrix and one call per chunk in view. */
import { isSoftware, rendererOf } from "../../core/device/renderer";
import { webglProgram } from "../../core/device/webglProgram";
import { type Matrix, scaleOf, visibleBox } from "./matrix";
import { LINE_WIDTH, MARK_SIZE, type Painter, clearSpans, dotSizeOf } from "./painter";
import { type Chunk, type Detail, type Strokes, detailFor, touches } from "./scene";
import { Trial } from "./trial";

const BYTES = 12; // of a vertex

/** A segment is a quad along the line, half a width longer at both ends so that corners close. */
const LINES = `#version 300 es
layout(location=0) in vec2 a; layout(location=1) in vec2 b; layout(location=2) in vec4 color;
uniform mat3 toClip; uniform vec2 canvas; uniform float width;
out vec4 tint; out vec2 spot; flat out vec2 size;
void main() {
  vec2 p = (toClip * vec3(a, 1.0)).xy * canvas, q = (toClip * vec3(b, 1.0)).xy * canvas;
  vec2 along = q - p; float far = length(along); along = far > 1e-6 ? along / far : vec2(1.0, 0.0);
  float half_ = 0.5 * width + 1.0;
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  spot = vec2(corner.x * (0.5 * far + half_), corner.y * half_);
  size = vec2(0.5 * far, 0.5 * width);
  vec2 at = 0.5 * (p + q) + along * spot.x + vec2(-along.y, along.x) * spot.y;
  gl_Position = color.a == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(at / canvas, 0.0, 1.0);
  tint = color;
}`;

const LINES_PIXEL = `#version 300 es
precision highp float; in vec4 tint; in vec2 spot; flat in vec2 size; out vec4 pixel;
void main() {
  vec2 beyond = vec2(max(abs(spot.x) - size.x, 0.0), abs(spot.y));
  float cover = clamp(size.y + 0.5 - length(beyond), 0.0, 1.0);
  pixel = vec4(tint.rgb, 1.0) * (tint.a * cover);
}`;

const DOTS = `#version 300 es
layout(location=0) in vec2 a; layout(location=2) in vec4 color;
uniform mat3 toClip; uniform float width; out vec4 tint;
void main() {
  gl_Position = color.a == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : vec4((toClip * vec3(a, 1.0)).xy, 0.0, 1.0);
  gl_PointSize = width; tint = color;
}`;

/** Small: a filled dot. Large: a ring round a bright core, seen on any stain. */
const DOTS_PIXEL = `#version 300 es
precision highp float; in vec4 tint; uniform float width; out vec4 pixel;
void main() {
  float far = length(gl_PointCoord - 0.5) * width, edge = 0.5 * width;
  float cover = clamp(edge - far, 0.0, 1.0);
  vec3 ink = width > 6.0 && far < 0.5 * edge ? vec3(1.0) : tint.rgb;
  pixel = vec4(ink, 1.0) * (tint.a * cover);
}`;

interface OnGpu {
  readonly vertices: Record<Detail, WebGLVertexArrayObject>;
  readonly buffers: Record<Detail, WebGLBuffer>;
}

interface Program {
  readonly program: WebGLProgram;
  readonly toClip: WebGLUniformLocation | null;
  readonly canvas: WebGLUniformLocation | null;
  readonly width: WebGLUniformLocation | null;
}

export class WebglPainter implements Painter {
  readonly settled = true;
  private lines!: Program;
  private dots!: Program;
  private blank = false;
  private readonly trial = new Trial(() => performance.now());
  private onGpu = new Map<Chunk, OnGpu>();

  /** Null where there is no WebGL 2 on a graphics card. */
  static create(canvas: HTMLCanvasElement): WebglPainter | null {
    const gl = canvas.getContext("webgl2", {
      antialias: false,
      depth: false,
      stencil: false,
      premultipliedAlpha: true,
      failIfMajorPerformanceCaveat: true,
    });
    if (!gl) return null;
    if (!isSoftware(rendererOf(gl))) return new WebglPainter(canvas, gl);
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return null;
  }

  private constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGL2RenderingContext,
  ) {
    this.prepare();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.onGpu = new Map();
      this.prepare();
    });
  }

  resize(width: number, height: number): void {
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.blank = true;
  }

  draw(chunks: readonly Chunk[], matrix: Matrix, ratio: number): void {
    const { gl } = this;
    const { width, height } = this.canvas;
    if (gl.isContextLost()) return;
    const view = visibleBox(matrix, width, height, MARK_SIZE * ratio);
    const scale = scaleOf(matrix);
    const seen = chunks.filter((chunk) => touches(chunk.box, view));
    if (seen.length === 0 && this.blank) return; // an untouched canvas costs nothing
    this.blank = seen.length === 0;
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const watch = seen.length > 0 ? this.trial.begin() : null;
    this.drawLines(seen, matrix, scale, ratio);
    this.drawDots(seen, matrix, scale, ratio);
    if (!watch) return;
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // answers when all is drawn
    watch();
  }

  /** Whether drawing takes so long that the processor is faster: a graphics card that is none, under whatever name. */
  get isSlow(): boolean {
    return this.trial.isSlow;
  }

  erase(chunk: Chunk, id: string): void {
    const { gl } = this;
    const stored = this.onGpu.get(chunk);
    for (const [name, start, count] of clearSpans(chunk, id)) {
      if (!stored) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, stored.buffers[name]);
      gl.bufferSubData(gl.ARRAY_BUFFER, start * BYTES, chunk[name].words, start * 3, count * 3);
    }
  }

  forget(chunk: Chunk): void {
    const stored = this.onGpu.get(chunk);
    if (!stored) return;
    this.onGpu.delete(chunk);
    for (const vertexArray of Object.values(stored.vertices)) this.gl.deleteVertexArray(vertexArray);
    for (const buffer of Object.values(stored.buffers)) this.gl.deleteBuffer(buffer);
  }

  finish(): void {
    return; // every call draws all
  }

  copyTo(pen: CanvasRenderingContext2D): void {
    pen.drawImage(this.canvas, 0, 0);
  }

  close(): void {
    for (const chunk of [...this.onGpu.keys()]) this.forget(chunk);
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.remove();
  }

  private drawLines(chunks: readonly Chunk[], matrix: Matrix, scale: number, ratio: number): void {
    const { gl } = this;
    gl.useProgram(this.lines.program);
    gl.uniform2f(this.lines.canvas, this.canvas.width / 2, this.canvas.height / 2);
    gl.uniform1f(this.lines.width, LINE_WIDTH * ratio);
    for (const chunk of chunks) {
      const detail = detailFor(chunk.extent, scale);
      if (detail === "dots" || chunk[detail].count < 2) continue;
      this.blend(chunk);
      this.setMatrix(this.lines, chunk, matrix);
      gl.bindVertexArray(this.upload(chunk).vertices[detail]);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, chunk[detail].count - 1);
    }
  }

  private drawDots(chunks: readonly Chunk[], matrix: Matrix, scale: number, ratio: number): void {
    const { gl } = this;
    gl.useProgram(this.dots.program);
    for (const chunk of chunks) {
      if (detailFor(chunk.extent, scale) !== "dots") continue;
      gl.uniform1f(this.dots.width, dotSizeOf(chunk.extent, scale) * ratio);
      this.blend(chunk);
      this.setMatrix(this.dots, chunk, matrix);
      gl.bindVertexArray(this.upload(chunk).vertices.dots);
      gl.drawArrays(gl.POINTS, 0, chunk.dots.count);
    }
  }

  /** Where translucent lines of one colour overlap, they are not darker (AN53). */
  private blend({ isTranslucent }: Chunk): void {
    this.gl.blendEquation(isTranslucent ? this.gl.MAX : this.gl.FUNC_ADD);
  }

  /** Sets the matrix from the chunk's own coordinates to the clip space. */
  private setMatrix({ toClip }: Program, { origin: [x, y] }: Chunk, { a, b, c, d, e, f }: Matrix): void {
    const [w, h] = [2 / this.canvas.width, -2 / this.canvas.height];
    this.gl.uniformMatrix3fv(toClip, false, [
      a * w,
      b * h,
      0,
      c * w,
      d * h,
      0,
      (a * x + c * y + e) * w - 1,
      (b * x + d * y + f) * h + 1,
      1,
    ]);
  }

  private upload(chunk: Chunk): OnGpu {
    const stored = this.onGpu.get(chunk);
    if (stored) return stored;
    const buffers = { full: this.buffer(chunk.full), coarse: this.buffer(chunk.coarse), dots: this.buffer(chunk.dots) };
    const vertices = {
      full: this.segments(buffers.full),
      coarse: this.segments(buffers.coarse),
      dots: this.points(buffers.dots),
    };
    const entry = { buffers, vertices };
    this.onGpu.set(chunk, entry);
    return entry;
  }

  private buffer({ words }: Strokes): WebGLBuffer {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, words, gl.STATIC_DRAW);
    return buffer;
  }

  /** Each instance reads one vertex, the next one, and the colour of the first. */
  private segments(buffer: WebGLBuffer): WebGLVertexArrayObject {
    const { gl } = this;
    const vertices = this.points(buffer);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, BYTES, BYTES);
    for (const location of [0, 1, 2]) gl.vertexAttribDivisor(location, 1);
    return vertices;
  }

  private points(buffer: WebGLBuffer): WebGLVertexArrayObject {
    const { gl } = this;
    const vertices = gl.createVertexArray();
    gl.bindVertexArray(vertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, BYTES, 0);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, BYTES, 8);
    return vertices;
  }

  private prepare(): void {
    const { gl } = this;
    this.lines = this.program(LINES, LINES_PIXEL);
    this.dots = this.program(DOTS, DOTS_PIXEL);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
  }

  private program(vertex: string, fragment: string): Program {
    const { gl } = this;
    const program = webglProgram(gl, vertex, fragment, "annotations");
    const at = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
    return { program, toClip: at("toClip"), canvas: at("canvas"), width: at("width") };
  }
}
