/**
 * Mixes channels on the graphics processor, in integers alone, so that its pictures equal those of the processor (CM10). A plane is a texture of
 * one channel, a table of contributions another; a pass adds one channel to the sum of a tile, which is a texture, too. So four texture
 * units suffice for any number of channels.
 */
import { type Size, TILE } from "@wavescope/core/geometry/pyramid";
import { ByteLru } from "@wavescope/core/codec/byteLru";
import { type SampleRange, type Shown, contributions } from "@wavescope/core/tiles/channels/mix";
import type { Mixer, Plane, Sum } from "@wavescope/core/tiles/channels/mixer";
import { isSoftware, rendererOf } from "../device/renderer";
import { WHOLE_CANVAS, webglProgram } from "../device/webglProgram";

const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D sums;`;

/** A signed sample comes as its bits: the difference to the least one has the right bits all the same. */
const CHANGE = `${HEAD}
uniform usampler2D plane, now, before;
uniform int least, mask;
uniform bool added, removed;
out uvec4 sum;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int sample_ = (int(texelFetch(plane, at, 0).r) - least) & mask;
  ivec2 entry = ivec2(sample_ & 255, sample_ >> 8);
  sum = texelFetch(sums, at, 0);
  if (added) sum.rgb += texelFetch(now, entry, 0).rgb;
  if (removed) sum.rgb -= texelFetch(before, entry, 0).rgb;
}`;

const CLIP = `${HEAD}
uniform int height;
out vec4 shown;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  uvec3 sum = texelFetch(sums, ivec2(at.x, height - 1 - at.y), 0).rgb;
  shown = vec4(vec3(min(sum, 255u)) / 255.0, 1.0);
}`;

/** Entries of a table in a row of its texture. */
const ROW = 256;

/** Texture units. */
const SUMS = 0;
const PLANE = 1;
const NOW = 2;
const BEFORE = 3;

/** Bytes of a texture of sums: of a whole tile, also where less of it is inside of the slide. */
const SUM_BYTES = TILE * TILE * 4 * 2;
/** Bytes of tables: those of 64 channels of 16 bits, and of windows that are being moved. */
const TABLES = 16 << 20;

interface Program {
  readonly program: WebGLProgram;
  readonly at: (name: string) => WebGLUniformLocation | null;
}

interface Programs {
  readonly change: Program;
  readonly clip: Program;
}

export class WebglMixer implements Mixer {
  readonly kind = "webgl";
  private readonly planes: ByteLru<WebGLTexture>;
  private readonly tables: ByteLru<WebGLTexture>;
  private readonly programs: Programs;
  private readonly framebuffer: WebGLFramebuffer;
  /** Of sums that are given up. */
  private readonly free: WebGLTexture[] = [];

  /** `budget`: bytes of planes on the graphics processor. Null where there is no WebGL 2 on a graphics card. */
  static open(range: SampleRange, budget: number, lost: () => void): WebglMixer | null {
    const canvas = new OffscreenCanvas(TILE, TILE);
    const gl = canvas.getContext("webgl2", { antialias: false, depth: false, failIfMajorPerformanceCaveat: true });
    if (!gl || isSoftware(rendererOf(gl))) return null;
    return new WebglMixer(canvas, gl, range, budget, lost);
  }

  private constructor(
    private readonly canvas: OffscreenCanvas,
    private readonly gl: WebGL2RenderingContext,
    private readonly range: SampleRange,
    budget: number,
    private readonly lost: () => void,
  ) {
    const drop = (texture: WebGLTexture): void => gl.deleteTexture(texture);
    this.planes = new ByteLru(budget, drop);
    this.tables = new ByteLru(TABLES, drop);
    canvas.addEventListener("webglcontextlost", lost);
    this.framebuffer = gl.createFramebuffer();
    this.programs = { change: programOf(gl, CHANGE), clip: programOf(gl, CLIP) };
    const { program, at } = this.programs.change;
    gl.useProgram(program);
    gl.uniform1i(at("plane"), PLANE);
    gl.uniform1i(at("now"), NOW);
    gl.uniform1i(at("before"), BEFORE);
    gl.uniform1i(at("least"), range.least);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  get bytes(): number {
    return this.planes.bytes + this.tables.bytes + this.free.length * SUM_BYTES;
  }

  begin(size: Size): Sum {
    let texture = this.sumTexture();
    this.target(texture);
    this.gl.clearBufferuiv(this.gl.COLOR, 0, [0, 0, 0, 0]);
    return {
      bytes: SUM_BYTES,
      change: (plane, now, before) => {
        const from = texture;
        texture = this.sumTexture();
        this.bind(SUMS, from);
        this.target(texture);
        this.change(plane, now, before);
        this.free.push(from);
      },
      picture: () => this.picture(size, texture),
      release: () => void this.free.push(texture),
    };
  }

  close(): void {
    this.canvas.removeEventListener("webglcontextlost", this.lost);
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.width = this.canvas.height = 1;
  }

  /** Adds to the sum that is bound, and gives it to the target. */
  private change(plane: Plane, now: Shown | null, before: Shown | null): void {
    const { gl } = this;
    const { program, at } = this.programs.change;
    gl.useProgram(program);
    this.bind(PLANE, this.planeTexture(plane));
    if (now) this.bind(NOW, this.tableOf(now));
    if (before) this.bind(BEFORE, this.tableOf(before));
    gl.uniform1i(at("mask"), plane.values.BYTES_PER_ELEMENT === 1 ? 0xff : 0xffff);
    gl.uniform1i(at("added"), Number(now !== null));
    gl.uniform1i(at("removed"), Number(before !== null));
    gl.viewport(0, 0, plane.width, plane.height);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private picture({ width, height }: Size, sum: WebGLTexture): ImageBitmap {
    const { gl, canvas } = this;
    const { program, at } = this.programs.clip;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.useProgram(program);
    this.bind(SUMS, sum);
    gl.uniform1i(at("height"), height);
    gl.viewport(0, 0, width, height);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    return canvas.transferToImageBitmap();
  }

  private bind(unit: number, texture: WebGLTexture): void {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
  }

  /** The next pass draws into this texture. */
  private target(texture: WebGLTexture): void {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  }

  private sumTexture(): WebGLTexture {
    return this.free.pop() ?? this.texture(SUMS, this.gl.RGBA16UI, TILE, TILE);
  }

  private planeTexture({ name, width, height, values }: Plane): WebGLTexture {
    const { gl } = this;
    const known = this.planes.get(name);
    if (known) return known;
    const deep = values.BYTES_PER_ELEMENT > 1;
    const texture = this.texture(PLANE, deep ? gl.R16UI : gl.R8UI, width, height);
    const bits = new (deep ? Uint16Array : Uint8Array)(values.buffer as ArrayBuffer, values.byteOffset, values.length);
    const type = deep ? gl.UNSIGNED_SHORT : gl.UNSIGNED_BYTE;
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED_INTEGER, type, bits);
    this.planes.set(name, texture, values.byteLength);
    return texture;
  }

  private tableOf(shown: Shown): WebGLTexture {
    const { gl } = this;
    const name = [shown.colour, shown.low, shown.high, shown.gamma].join();
    const known = this.tables.get(name);
    if (known) return known;
    const added = contributions(shown, this.range);
    const rows = added.length / 3 / ROW;
    const texture = this.texture(NOW, gl.RGB8UI, ROW, rows);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, rows, gl.RGB_INTEGER, gl.UNSIGNED_BYTE, added);
    this.tables.set(name, texture, added.byteLength);
    return texture;
  }

  /** A new texture of integers, bound to a unit. */
  private texture(unit: number, format: number, width: number, height: number): WebGLTexture {
    const { gl } = this;
    const texture = gl.createTexture();
    this.bind(unit, texture);
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    return texture;
  }
}

function programOf(gl: WebGL2RenderingContext, fragment: string): Program {
  const program = webglProgram(gl, WHOLE_CANVAS, fragment, "channels");
  const locations = new Map<string, WebGLUniformLocation | null>();
  const at = (name: string): WebGLUniformLocation | null => {
    if (!locations.has(name)) locations.set(name, gl.getUniformLocation(program, name));
    return locations.get(name) ?? null;
  };
  return { program, at };
}
