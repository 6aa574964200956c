/** A vertex shader for one triangle that covers the whole canvas: three vertices, no attribute. */
export const WHOLE_CANVAS = `#version 300 es
void main() {
  vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}`;

/** A linked program. Throws an Error that names its `purpose` if it does not compile or link; not if the context is lost. */
export function webglProgram(
  gl: WebGL2RenderingContext,
  vertex: string,
  fragment: string,
  purpose: string,
): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`the shader of ${purpose} does not link: ${gl.getProgramInfoLog(program) ?? ""}`);
  return program;
}
