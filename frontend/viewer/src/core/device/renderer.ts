/** Whether WebGL is drawn by the processor, which has quicker ways to draw. */

/** Renderers that draw by the processor, by the names that browsers give them. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|lavapipe|swrast|software|basic render/i;

export const isSoftware = (renderer: string): boolean => SOFTWARE.test(renderer);

/** The name of who draws; empty where the browser does not tell. */
export function rendererOf(gl: WebGL2RenderingContext): string {
  const debugInfo = gl.getExtension("WEBGL_debug_renderer_info");
  return String(gl.getParameter(debugInfo ? debugInfo.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? "");
}
