/** The colour filter on the graphics processor: the drawn canvas is a texture, the profile a cube of colours, the rest arithmetic. */
import { WHOLE_CANVAS, webglProgram } from "../core/device/webglProgram";
import type { Adjustments } from "./adjustments";
import { type ColourTable, LUMA, gainsOf } from "./colour";
import type { ColourFilter, Stage } from "./colourFilter";

const NO_STAGE = "vec3 staged(vec3 colour) { return colour; }";

/** The same as colour.ts, in the same order. */
const fragment = (stage: string): string => `#version 300 es
precision highp float;
precision highp sampler3D;
uniform sampler2D picture;
uniform sampler3D profile;
uniform float nodes; // 0: no profile
uniform vec3 gains;
uniform float contrast, brightness, gamma, saturation;
out vec4 shown;
${stage}
void main() {
  ivec2 size = textureSize(picture, 0);
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 drawn = texelFetch(picture, ivec2(at.x, size.y - 1 - at.y), 0);
  if (drawn.a == 0.0) { shown = vec4(0.0); return; }
  vec3 colour = drawn.rgb / drawn.a;
  if (nodes > 0.0) colour = texture(profile, (colour * (nodes - 1.0) + 0.5) / nodes).rgb;
  colour = staged(colour);
  colour = (min(colour * gains, 1.0) - 0.5) * contrast + 0.5 + brightness;
  colour = pow(clamp(colour, 0.0, 1.0), vec3(1.0 / gamma));
  float grey = dot(colour, vec3(${LUMA.join(", ")}));
  shown = vec4(clamp(grey + (colour - grey) * saturation, 0.0, 1.0) * drawn.a, drawn.a);
}`;

const UNIFORMS = ["picture", "profile", "nodes", "gains", "contrast", "brightness", "gamma", "saturation"] as const;

const PICTURE_UNIT = 0;
const PROFILE_UNIT = 1;

export class GpuColourFilter implements ColourFilter {
  readonly kind = "gpu";
  private uniforms!: Readonly<Record<(typeof UNIFORMS)[number], WebGLUniformLocation | null>>;
  private program: WebGLProgram | null = null;
  private shader = "";
  private table: ColourTable | null = null;

  /** Null where the browser has no WebGL2. `lost` is called when the graphics processor is lost. */
  static open(lost: () => void): GpuColourFilter | null {
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2", {
      antialias: false,
      depth: false,
      premultipliedAlpha: true,
      powerPreference: "low-power",
    });
    if (!gl) return null;
    return new GpuColourFilter(canvas, gl, lost);
  }

  private constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGL2RenderingContext,
    private readonly lost: () => void,
  ) {
    canvas.addEventListener("webglcontextlost", lost);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    texture(gl, PICTURE_UNIT, gl.TEXTURE_2D, gl.NEAREST);
    texture(gl, PROFILE_UNIT, gl.TEXTURE_3D, gl.LINEAR);
    this.load(null);
  }

  set(profile: ColourTable | null, a: Adjustments, stage: Stage | null = null): void {
    const { gl } = this;
    this.use(stage?.shader ?? NO_STAGE);
    stage?.bind(gl, this.program!);
    const { uniforms } = this;
    if (profile !== this.table) this.load(profile);
    gl.uniform1f(uniforms.nodes, profile?.nodes ?? 0);
    gl.uniform3fv(uniforms.gains, gainsOf(a.white, profile));
    gl.uniform1f(uniforms.contrast, a.contrast);
    gl.uniform1f(uniforms.brightness, a.brightness);
    gl.uniform1f(uniforms.gamma, a.gamma);
    gl.uniform1f(uniforms.saturation, a.saturation);
  }

  show(source: HTMLCanvasElement): void {
    const { gl, canvas } = this;
    const { width, height } = source;
    if (width === 0 || height === 0 || gl.isContextLost()) return;
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
      gl.viewport(0, 0, width, height);
    }
    gl.activeTexture(gl.TEXTURE0 + PICTURE_UNIT);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  close(): void {
    this.canvas.removeEventListener("webglcontextlost", this.lost);
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.width = this.canvas.height = 1;
    this.canvas.remove();
  }

  /** Runs the program with this stage from now on. */
  private use(shader: string): void {
    if (shader === this.shader) return;
    const { gl } = this;
    const program = webglProgram(gl, WHOLE_CANVAS, fragment(shader), "colours");
    gl.deleteProgram(this.program);
    gl.useProgram(program);
    const places = UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)]);
    this.uniforms = Object.fromEntries(places) as typeof this.uniforms;
    gl.uniform1i(this.uniforms.picture, PICTURE_UNIT);
    gl.uniform1i(this.uniforms.profile, PROFILE_UNIT);
    [this.program, this.shader] = [program, shader];
  }

  private load(table: ColourTable | null): void {
    const { gl } = this;
    const nodes = table?.nodes ?? 1;
    const rgb = table?.rgb ?? new Uint8Array(3);
    gl.activeTexture(gl.TEXTURE0 + PROFILE_UNIT);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false); // WebGL refuses it for cubes
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGB8, nodes, nodes, nodes, 0, gl.RGB, gl.UNSIGNED_BYTE, rgb);
    this.table = table;
  }
}

export function texture(gl: WebGL2RenderingContext, unit: number, kind: number, filter: number): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(kind, gl.createTexture());
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R])
    gl.texParameteri(kind, side, gl.CLAMP_TO_EDGE);
  gl.texParameteri(kind, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(kind, gl.TEXTURE_MAG_FILTER, filter);
}
