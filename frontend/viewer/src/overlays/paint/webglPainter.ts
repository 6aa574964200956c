/** Draws with WebGL 2: the buffers of a tile are made once, in the worker; colours and thresholds are a table and uniforms. */
import { placeOf } from "@wavescope/core/overlays/plan";
import type { StyleTables } from "@wavescope/core/overlays/style";
import { type Outlines, type OverlayTile, QUARTERS, type Symbols, sideOf } from "@wavescope/core/overlays/tile";
import { type Matrix, onCanvas } from "../../annotate/paint/matrix";
import { isSoftware, rendererOf } from "../../core/device/renderer";
import { webglProgram } from "../../core/device/webglProgram";
import { LEAST_AXIS, type Painter, STROKE, SYMBOL_ALPHA, type Scene } from "./painter";
import { eachSquare } from "./squares";
import { trianglesOf } from "./triangles";

/** Shapes of one ring of at most so many corners are filled as triangles, others one by one by the stencil. */
const MOST_CORNERS = 256;
/** Bits of a vertex: class, score, whether no line begins there, whether it is a point. */
const GAP = 1 << 16;
const POINT = 1 << 17;

const COLOR = `
uniform sampler2D colors; uniform bool byScore; uniform vec2 limits;
vec4 colorOf(uint meta) {
  int of = int(meta & 255u), score = int((meta >> 8) & 255u);
  vec4 own = texelFetch(colors, ivec2(of, 0), 0);
  bool shown = own.a > 0.5 && float(score) >= limits.x && float(score) <= limits.y;
  return shown ? vec4(byScore ? texelFetch(colors, ivec2(score, 1), 0).rgb : own.rgb, 1.0) : vec4(0.0);
}`;

/** A segment is a quad along the line, half a width longer at both ends so that corners close; a point is twice as wide. */
const LINES = `#version 300 es
layout(location=0) in vec2 a; layout(location=1) in vec2 b; layout(location=2) in uint meta;
uniform mat3 toClip; uniform vec2 canvas; uniform float width;
out vec4 tint; out vec2 spot; flat out vec2 size;
${COLOR}
void main() {
  vec2 p = (toClip * vec3(a, 1.0)).xy * canvas, q = (toClip * vec3(b, 1.0)).xy * canvas;
  vec2 along = q - p; float far = length(along); along = far > 1e-6 ? along / far : vec2(1.0, 0.0);
  float own = (meta & ${POINT}u) != 0u ? 2.0 * width : width;
  float reach = 0.5 * own + 1.0;
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  spot = vec2(corner.x * (0.5 * far + reach), corner.y * reach);
  size = vec2(0.5 * far, 0.5 * own);
  vec2 at = 0.5 * (p + q) + along * spot.x + vec2(-along.y, along.x) * spot.y;
  tint = colorOf(meta);
  gl_Position = (meta & ${GAP}u) != 0u || tint.a == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(at / canvas, 0.0, 1.0);
}`;

const LINES_PIXEL = `#version 300 es
precision highp float; in vec4 tint; in vec2 spot; flat in vec2 size; out vec4 pixel;
void main() {
  vec2 beyond = vec2(max(abs(spot.x) - size.x, 0.0), abs(spot.y));
  float cover = clamp(size.y + 0.5 - length(beyond), 0.0, 1.0);
  if (cover <= 0.0) discard;
  pixel = vec4(tint.rgb, 1.0) * cover;
}`;

const FILLS = `#version 300 es
layout(location=0) in vec2 a; layout(location=2) in uint meta;
uniform mat3 toClip; uniform float alpha; out vec4 tint;
${COLOR}
void main() {
  tint = colorOf(meta);
  tint = vec4(tint.rgb, 1.0) * tint.a * alpha;
  gl_Position = tint.a == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : vec4((toClip * vec3(a, 1.0)).xy, 0.0, 1.0);
}`;

const PLAIN_PIXEL = `#version 300 es
precision highp float; in vec4 tint; out vec4 pixel;
void main() { pixel = tint; }`;

const SYMBOLS = `#version 300 es
layout(location=0) in vec2 middle; layout(location=1) in vec2 axes; layout(location=2) in uint meta;
uniform mat3 toClip; uniform vec2 canvas; uniform float scale; uniform float alpha;
out vec4 tint; out vec2 spot; flat out vec2 size;
${COLOR}
void main() {
  float turn = float((meta >> 16) & 255u) * ${Math.PI / 16};
  vec2 along = (toClip * vec3(cos(turn), sin(turn), 0.0)).xy * canvas; along = normalize(along);
  size = max(vec2(${LEAST_AXIS}), axes * 0.5 * scale);
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  spot = corner * (size + 1.0);
  vec2 at = (toClip * vec3(middle, 1.0)).xy * canvas + along * spot.x + vec2(-along.y, along.x) * spot.y;
  tint = colorOf(meta); tint.a *= alpha;
  gl_Position = tint.a == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(at / canvas, 0.0, 1.0);
}`;

const SYMBOLS_PIXEL = `#version 300 es
precision highp float; in vec4 tint; in vec2 spot; flat in vec2 size; out vec4 pixel;
void main() {
  float cover = clamp((1.0 - length(spot / size)) * size.y + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  pixel = vec4(tint.rgb, 1.0) * tint.a * cover;
}`;

const SQUARES = `#version 300 es
layout(location=0) in vec4 box; layout(location=1) in vec4 color;
uniform mat3 toClip; out vec4 tint;
void main() {
  vec2 at = vec2((gl_VertexID & 1) == 0 ? box.x : box.z, (gl_VertexID & 2) == 0 ? box.y : box.w);
  tint = vec4(color.rgb * color.a, color.a);
  gl_Position = vec4((toClip * vec3(at, 1.0)).xy, 0.0, 1.0);
}`;

/** A shape that the stencil fills: first vertex, vertices of each ring. */
interface LargeShape {
  readonly rings: readonly (readonly [number, number])[];
}

interface OnGpu {
  readonly buffers: readonly WebGLBuffer[];
  readonly lines: WebGLVertexArrayObject;
  readonly vertices: number;
  /** The same vertices as corners of triangles. */
  readonly corners: WebGLVertexArrayObject;
  readonly indices: number;
  readonly large: readonly LargeShape[];
  readonly symbols: WebGLVertexArrayObject | null;
}

type Program = Readonly<
  Record<"toClip" | "canvas" | "width" | "alpha" | "scale" | "byScore" | "limits", WebGLUniformLocation | null>
> & {
  readonly program: WebGLProgram;
};

export class WebglPainter implements Painter {
  private readonly onGpu = new Map<OverlayTile, OnGpu>();
  private readonly lines: Program;
  private readonly fills: Program;
  private readonly symbols: Program;
  private readonly squares: Program;
  private readonly colors: WebGLTexture;
  private readonly boxes: WebGLBuffer;
  private readonly boxArray: WebGLVertexArrayObject;

  /** Null where there is no WebGL 2 on a graphics card; `forced`: also where the processor draws for it. */
  static open(forced: boolean): WebglPainter | null {
    const canvas = new OffscreenCanvas(1, 1);
    const gl = canvas.getContext("webgl2", {
      antialias: false,
      depth: false,
      stencil: true,
      premultipliedAlpha: true,
      failIfMajorPerformanceCaveat: !forced,
    });
    if (!gl) return null;
    if (forced || !isSoftware(rendererOf(gl))) return new WebglPainter(canvas, gl);
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return null;
  }

  private constructor(
    private readonly canvas: OffscreenCanvas,
    private readonly gl: WebGL2RenderingContext,
  ) {
    this.lines = this.program(LINES, LINES_PIXEL);
    this.fills = this.program(FILLS, PLAIN_PIXEL);
    this.symbols = this.program(SYMBOLS, SYMBOLS_PIXEL);
    this.squares = this.program(SQUARES, PLAIN_PIXEL);
    this.colors = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.colors);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    this.boxes = gl.createBuffer();
    this.boxArray = gl.createVertexArray();
    gl.bindVertexArray(this.boxArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.boxes);
    this.attribute(0, 4, gl.FLOAT, 20, 0);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 20, 16);
    for (const location of [0, 1]) gl.vertexAttribDivisor(location, 1);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
  }

  get isLost(): boolean {
    return this.gl.isContextLost();
  }

  paint(scene: Scene, tileAt: (key: string) => OverlayTile | undefined): ImageBitmap {
    const { gl, canvas } = this;
    const { width, height } = scene;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    this.setColors(scene.style);
    for (const { key, part, window } of scene.drawn) {
      const tile = tileAt(key);
      if (!tile) continue;
      const { level, x, y } = placeOf(key);
      const begin = [x * sideOf(level), y * sideOf(level)] as const;
      if (part === "counts") this.paintSquares(tile, key, window, scene, begin);
      else if (part === "symbols") this.paintSymbols(tile, scene, begin);
      else this.paintOutlines(tile, scene, begin);
    }
    return canvas.transferToImageBitmap();
  }

  forget(tile: OverlayTile): void {
    const stored = this.onGpu.get(tile);
    if (!stored) return;
    this.onGpu.delete(tile);
    for (const array of [stored.lines, stored.corners, stored.symbols]) this.gl.deleteVertexArray(array);
    for (const buffer of stored.buffers) this.gl.deleteBuffer(buffer);
  }

  close(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  private paintOutlines(tile: OverlayTile, scene: Scene, begin: readonly [number, number]): void {
    const { gl } = this;
    const stored = this.upload(tile);
    if (stored.vertices < 2) return;
    if (scene.style.fill > 0) {
      this.use(this.fills, scene, begin, QUARTERS);
      gl.uniform1f(this.fills.alpha, scene.style.fill);
      gl.bindVertexArray(stored.corners);
      if (stored.indices > 0) gl.drawElements(gl.TRIANGLES, stored.indices, gl.UNSIGNED_INT, 0);
      for (const shape of stored.large) this.fillByStencil(shape);
    }
    this.use(this.lines, scene, begin, QUARTERS);
    gl.uniform1f(this.lines.width, STROKE * scene.ratio);
    gl.bindVertexArray(stored.lines);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, stored.vertices - 1);
  }

  /** Inverts the stencil for every fan over a pixel, then colours where that was odd. */
  private fillByStencil({ rings }: LargeShape): void {
    const { gl } = this;
    const fans = (): void => {
      for (const [first, count] of rings) gl.drawArrays(gl.TRIANGLE_FAN, first, count);
    };
    gl.enable(gl.STENCIL_TEST);
    gl.colorMask(false, false, false, false);
    gl.stencilFunc(gl.ALWAYS, 0, 1);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INVERT);
    fans();
    gl.colorMask(true, true, true, true);
    gl.stencilFunc(gl.EQUAL, 1, 1);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.ZERO);
    fans();
    gl.disable(gl.STENCIL_TEST);
  }

  private paintSymbols(tile: OverlayTile, scene: Scene, begin: readonly [number, number]): void {
    const { gl } = this;
    const stored = this.upload(tile);
    if (!stored.symbols || !tile.symbols) return;
    this.use(this.symbols, scene, begin, 1);
    gl.uniform1f(this.symbols.alpha, SYMBOL_ALPHA);
    gl.uniform1f(this.symbols.scale, Math.hypot(scene.matrix.a, scene.matrix.b));
    gl.bindVertexArray(stored.symbols);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, tile.symbols.classes.length);
  }

  private paintSquares(
    { counts }: OverlayTile,
    key: string,
    window: Scene["drawn"][number]["window"],
    scene: Scene,
    [left, top]: readonly [number, number],
  ): void {
    const { gl } = this;
    const found: number[] = [];
    const tints: number[] = [];
    eachSquare(counts ?? [], key, window, scene, ({ minX, minY, maxX, maxY }, color) => {
      found.push(minX - left, minY - top, maxX - left, maxY - top);
      tints.push(color);
    });
    const words = new Float32Array(5 * tints.length);
    const colors = new Uint32Array(words.buffer);
    tints.forEach((color, i) => {
      words.set(found.slice(4 * i, 4 * i + 4), 5 * i);
      colors[5 * i + 4] = color;
    });
    this.use(this.squares, scene, [left, top], 1);
    gl.bindVertexArray(this.boxArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.boxes);
    gl.bufferData(gl.ARRAY_BUFFER, words, gl.STREAM_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, tints.length);
  }

  /** Chooses a program, for numbers relative to a tile's beginning, so many to a pixel. */
  private use(
    program: Program,
    { matrix, width, height, style }: Scene,
    begin: readonly [number, number],
    units: number,
  ): void {
    const { gl } = this;
    gl.useProgram(program.program);
    gl.uniformMatrix3fv(program.toClip, false, clipMatrix(matrix, width, height, begin, units));
    gl.uniform2f(program.canvas, width / 2, height / 2);
    gl.uniform1i(program.byScore, style.byScore ? 1 : 0);
    gl.uniform2f(program.limits, style.least, style.most);
  }

  private setColors({ byClass, byScore, shown }: StyleTables): void {
    const { gl } = this;
    const rows = new Uint32Array(512);
    for (let i = 0; i < 256; i += 1) {
      rows[i] = byClass[i]! | (shown[i] ? 0xff000000 : 0);
      rows[256 + i] = byScore ? byScore[i]! | 0xff000000 : 0;
    }
    gl.bindTexture(gl.TEXTURE_2D, this.colors);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(rows.buffer));
  }

  private upload(tile: OverlayTile): OnGpu {
    const known = this.onGpu.get(tile);
    if (known) return known;
    const { gl } = this;
    const { words, indices, large } = verticesOf(tile.outlines);
    const vertices = this.buffer(gl.ARRAY_BUFFER, words);
    const lines = gl.createVertexArray();
    gl.bindVertexArray(lines);
    gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
    this.attribute(0, 2, gl.INT, 12, 0);
    this.attribute(1, 2, gl.INT, 12, 12);
    this.attribute(2, 1, gl.UNSIGNED_INT, 12, 8);
    for (const location of [0, 1, 2]) gl.vertexAttribDivisor(location, 1);
    const corners = gl.createVertexArray();
    gl.bindVertexArray(corners);
    this.attribute(0, 2, gl.INT, 12, 0);
    this.attribute(2, 1, gl.UNSIGNED_INT, 12, 8);
    const elements = this.buffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    const buffers = [vertices, elements];
    let symbols: WebGLVertexArrayObject | null = null;
    if (tile.symbols) {
      symbols = gl.createVertexArray();
      gl.bindVertexArray(symbols);
      buffers.push(this.buffer(gl.ARRAY_BUFFER, instancesOf(tile.symbols)));
      this.attribute(0, 2, gl.INT, 20, 0);
      this.attribute(1, 2, gl.INT, 20, 8);
      this.attribute(2, 1, gl.UNSIGNED_INT, 20, 16);
      for (const location of [0, 1, 2]) gl.vertexAttribDivisor(location, 1);
    }
    gl.bindVertexArray(null);
    const stored = { buffers, lines, vertices: words.length / 3, corners, indices: indices.length, large, symbols };
    this.onGpu.set(tile, stored);
    return stored;
  }

  private buffer(target: number, words: Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): WebGLBuffer {
    const buffer = this.gl.createBuffer();
    this.gl.bindBuffer(target, buffer);
    this.gl.bufferData(target, words, this.gl.STATIC_DRAW);
    return buffer;
  }

  /** Signed numbers become floats, unsigned ones stay whole. */
  private attribute(location: number, size: number, type: number, stride: number, offset: number): void {
    const { gl } = this;
    gl.enableVertexAttribArray(location);
    if (type === gl.UNSIGNED_INT) gl.vertexAttribIPointer(location, size, type, stride, offset);
    else gl.vertexAttribPointer(location, size, type, false, stride, offset);
  }

  private program(vertex: string, fragment: string): Program {
    const { gl } = this;
    const program = webglProgram(gl, vertex, fragment, "overlays");
    const at = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
    return {
      program,
      toClip: at("toClip"),
      canvas: at("canvas"),
      width: at("width"),
      alpha: at("alpha"),
      scale: at("scale"),
      byScore: at("byScore"),
      limits: at("limits"),
    };
  }
}

/** Column by column: from numbers relative to a tile's beginning to clip space. */
function clipMatrix(
  matrix: Matrix,
  width: number,
  height: number,
  begin: readonly [number, number],
  units: number,
): number[] {
  const [w, h] = [2 / width, -2 / height];
  const [e, f] = onCanvas(matrix, ...begin);
  const { a, b, c, d } = matrix;
  return [(a * w) / units, (b * h) / units, 0, (c * w) / units, (d * h) / units, 0, e * w - 1, f * h + 1, 1];
}

/** Three words a vertex: x, y and its bits. A ring ends with its first corner once more, from which no line begins. */
function verticesOf({ corners, ringEnds, shapeEnds, classes, scores }: Outlines): {
  readonly words: Int32Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
  readonly large: readonly LargeShape[];
} {
  const words = new Int32Array(3 * (corners.length / 2 + ringEnds.length));
  const indices: number[] = [];
  const large: LargeShape[] = [];
  let vertex = 0;
  const put = (corner: number, bits: number): void => {
    words[3 * vertex] = corners[2 * corner]!;
    words[3 * vertex + 1] = corners[2 * corner + 1]!;
    words[3 * vertex + 2] = bits;
    vertex += 1;
  };
  for (let shape = 0; shape < classes.length; shape += 1) {
    const bits = classes[shape]! | (scores[shape]! << 8);
    const rings: (readonly [number, number])[] = [];
    for (let ring = shapeEnds[shape - 1] ?? 0; ring < shapeEnds[shape]!; ring += 1) {
      const [from, to] = [ringEnds[ring - 1] ?? 0, ringEnds[ring]!];
      rings.push([vertex, to - from]);
      for (let i = from; i < to; i += 1)
        put(i, bits | (to - from === 1 ? POINT : to - from === 2 && i > from ? GAP : 0));
      put(from, bits | GAP);
    }
    const [[first, count]] = rings as [readonly [number, number]];
    if (rings.length > 1 || count > MOST_CORNERS) large.push({ rings });
    else if (count > 2) {
      const from = ringEnds[shapeEnds[shape]! - 2] ?? 0;
      for (const i of trianglesOf(corners, from, from + count)) indices.push(first + i);
    }
  }
  return { words, indices: Uint32Array.from(indices), large };
}

/** Five words a symbol: the middle, both axes, its bits and direction. */
function instancesOf({ middles, long, short, turns, classes, scores }: Symbols): Int32Array<ArrayBuffer> {
  const words = new Int32Array(5 * classes.length);
  for (let i = 0; i < classes.length; i += 1)
    words.set(
      [middles[2 * i]!, middles[2 * i + 1]!, long[i]!, short[i]!, classes[i]! | (scores[i]! << 8) | (turns[i]! << 16)],
      5 * i,
    );
  return words;
}
