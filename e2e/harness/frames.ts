// Looks at every frame that is drawn: is there a pixel inside the slide through which the ground behind the canvas shines?
import type { Page } from "@playwright/test";

export interface FrameReport {
  /** Frames that were looked at, from the first picture on. */
  readonly frames: number;
  /** What was wrong with the first few bad ones. */
  readonly bad: readonly string[];
}

declare global {
  interface Window {
    __frames: { frames: number; bad: string[] };
  }
}

/** To be called before the page is opened: every slide is watched from its first picture on. */
export async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(watch);
}

export const framesSeen = (page: Page): Promise<FrameReport> => page.evaluate(() => window.__frames);

/**
 * Runs in the page. What is behind the canvas is painted magenta; a frame is composed over magenta as the screen does it, and the
 * pixels inside the slide (all but those at its outer edge, which the filter of its coarsest texels softens) are compared with the
 * same frame over green: a difference is magenta that shines through. (One part in 255 may: a browser's blending rounds.)
 */
function watch(): void {
  window.__frames = { frames: 0, bad: [] };
  const found = window.__frames;
  const sheet = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  let pictured = false;

  const composed = (canvas: HTMLCanvasElement, behind: string): Uint32Array => {
    const { width, height } = canvas;
    sheet.globalCompositeOperation = "copy";
    sheet.fillStyle = behind;
    sheet.fillRect(0, 0, width, height);
    sheet.globalCompositeOperation = "source-over";
    sheet.drawImage(canvas, 0, 0);
    return new Uint32Array(sheet.getImageData(0, 0, width, height).data.buffer);
  };

  const isSame = (a: number, b: number): boolean => {
    if (a === b) return true;
    return [0, 8, 16].every((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) <= 2);
  };

  /** From where to where a row of pixels is inside the slide, or null. */
  const rowInside = (corners: { canvas_x: number; canvas_y: number }[], y: number): [number, number] | null => {
    let [from, to] = [-Infinity, Infinity];
    for (let i = 0; i < 4; i++) {
      const [a, b] = [corners[i]!, corners[(i + 1) % 4]!];
      const [dx, dy] = [b.canvas_x - a.canvas_x, b.canvas_y - a.canvas_y];
      const side = Math.sign(
        (corners[(i + 2) % 4]!.canvas_x - a.canvas_x) * dy - (corners[(i + 2) % 4]!.canvas_y - a.canvas_y) * dx,
      );
      const margin = 8 * Math.hypot(dx, dy); // pixels: as many as a texel of the coarsest level has in a view of the whole slide
      // inside: side * ((x - ax) * dy - (y - ay) * dx) >= margin
      const rest = margin + side * (y - a.canvas_y) * dx + side * a.canvas_x * dy;
      if (Math.abs(dy) < 1e-9) {
        if (rest > 0) return null;
      } else if (side * dy > 0) from = Math.max(from, rest / (side * dy));
      else to = Math.min(to, rest / (side * dy));
    }
    return from < to ? [from, to] : null;
  };

  const look = (): void => {
    const { slide, viewport } = window.__wavescope;
    const canvas = document.querySelector<HTMLCanvasElement>("[data-testid=viewer] .openseadragon-canvas canvas")!;
    canvas.parentElement!.style.background = "magenta";
    const { width, height } = canvas;
    if (sheet.canvas.width !== width || sheet.canvas.height !== height) Object.assign(sheet.canvas, { width, height });
    const magenta = composed(canvas, "#ff00ff");
    const green = composed(canvas, "#00ff00");
    pictured ||= magenta.some((pixel, i) => pixel === green[i]);
    if (!pictured) return;
    found.frames += 1;
    const { width: w, height: h } = slide();
    const corners = [
      [0, 0],
      [w, 0],
      [w, h],
      [0, h],
    ].map(([x, y]) => viewport.toCanvas(x!, y!));
    let shining = 0;
    let first = "";
    const box = { left: width, top: height, right: 0, bottom: 0 };
    for (let y = 0; y < height; y++) {
      const row = rowInside(corners, y + 0.5);
      if (!row) continue;
      for (let x = Math.max(0, Math.ceil(row[0])); x < Math.min(width, Math.floor(row[1])); x++) {
        if (isSame(magenta[y * width + x]!, green[y * width + x]!)) continue;
        shining += 1;
        Object.assign(box, {
          left: Math.min(box.left, x),
          top: Math.min(box.top, y),
          right: Math.max(box.right, x),
          bottom: Math.max(box.bottom, y),
        });
        first ||= `(${x}, ${y}): ${magenta[y * width + x]!.toString(16)}`;
      }
    }
    if (shining > 0 && found.bad.length < 5) {
      const where = JSON.stringify({ ...box, state: viewport.state(), wanted: viewport.viewLink() });
      found.bad.push(`frame ${found.frames}: ${shining} pixels, first ${first}, in ${where}`);
    }
  };

  let watched: unknown = null;
  const attach = (): void => {
    const { __wavescope: scope } = window;
    if (scope !== watched) {
      try {
        scope?.afterDraw(look);
        watched = scope;
      } catch {
        watched = null; // no slide is open
      }
    }
    requestAnimationFrame(attach);
  };
  attach();
}
