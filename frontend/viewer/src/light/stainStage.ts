/** A stain view as a stage of the colour filter: the same integers on the graphics processor and on the processor. */
import { t } from "@wavescope/core/i18n/i18n";
import type { Rgb, StainEntries } from "./adjustments";
import type { Stage } from "./colourFilter";
import { texture } from "./gpuColourFilter";
import { LEVELS, type StainView, applyStains, stainViewOf, tablesOf } from "./stains";
import { secondStain } from "./stainEstimate";

/** SN3 and SN4, as stains.ts has them. */
const SHADER = `
uniform highp isampler2D amounts; // 256 x 9
uniform highp usampler2D levels; // 128 x 128
uniform ivec3 weights[3];
float level(int sum) {
  int d = clamp(sum >> 11, 0, 16383);
  return float(texelFetch(levels, ivec2(d & 127, d >> 7), 0).r) / 255.0;
}
vec3 staged(vec3 colour) {
  ivec3 stored = ivec3(colour * 255.0 + 0.5);
  ivec3 sums = ivec3(1024);
  for (int s = 0; s < 3; s++) {
    int sum = texelFetch(amounts, ivec2(stored.r, 3 * s), 0).r
      + texelFetch(amounts, ivec2(stored.g, 3 * s + 1), 0).r
      + texelFetch(amounts, ivec2(stored.b, 3 * s + 2), 0).r;
    sums += clamp((sum + 8) >> 4, 0, 65535) * weights[s];
  }
  return vec3(level(sums.r), level(sums.g), level(sums.b));
}`;

const AMOUNTS_UNIT = 2;
const LEVELS_UNIT = 3;

/** The stage of a stain view; null if the entries describe none. */
export function stageOf(entries: StainEntries, white: Rgb | null): Stage | null {
  const view = stainViewOf(entries);
  if (!view) return null;
  const tables = tablesOf(view, white);
  return {
    name: nameOf(view),
    shader: SHADER,
    bind: (gl, program) => {
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
      select(gl, AMOUNTS_UNIT);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32I, 256, 9, 0, gl.RED_INTEGER, gl.INT, tables.amounts);
      select(gl, LEVELS_UNIT);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, 128, 128, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, LEVELS);
      gl.uniform1i(gl.getUniformLocation(program, "amounts"), AMOUNTS_UNIT);
      gl.uniform1i(gl.getUniformLocation(program, "levels"), LEVELS_UNIT);
      gl.uniform3iv(gl.getUniformLocation(program, "weights"), tables.weights);
    },
    apply: (rgba) => applyStains(tables, rgba),
  };
}

/** The texture of a unit, made when it is first needed. */
function select(gl: WebGL2RenderingContext, unit: number): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  if (gl.getParameter(gl.TEXTURE_BINDING_2D) === null) texture(gl, unit, gl.TEXTURE_2D, gl.NEAREST);
}

/** What the user reads of the view. */
function nameOf(view: StainView): string {
  return view.alone === null ? t("stains.normalised") : stainNames(view)[view.alone]!;
}

/** The names of the three stains of a view. */
export function stainNames({ standard, vectors }: Pick<StainView, "standard" | "vectors">): readonly string[] {
  const [eosin, dab] = [t("stains.eosin"), t("stains.dab")];
  if (standard) return [t("stains.haematoxylin"), eosin, dab];
  return [t("stains.haematoxylin"), secondStain(vectors[1]) === "dab" ? dab : eosin, t("stains.residual")];
}
