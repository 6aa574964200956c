/** `window.__wavescope` (testHooks.ts) while no slide is open. */
import { loadAhead } from "./ui/later/deferred";
import type { TestHooks } from "./testHooks";

export async function complete(): Promise<void> {
  await loadAhead();
  await new Promise((resolve) => setTimeout(resolve)); // React renders them
}

export function nothing(): never {
  throw new Error("no slide is open");
}

/** The hooks while no slide is open. */
export function closedHooks(page: TestHooks["page"]): TestHooks {
  return {
    page,
    comparison: null,
    slide: nothing,
    tileState: nothing,
    fidelity: nothing,
    idle: nothing,
    complete,
    counters: nothing,
    resetCounters: nothing,
    decodePixels: nothing,
    memory: nothing,
    limitLayers: nothing,
    readCanvas: nothing,
    afterDraw: nothing,
    annotations: { state: nothing, list: nothing, inViewer: nothing, readPixel: nothing, readPicture: nothing },
    viewport: {
      viewLink: nothing,
      show: nothing,
      goTo: nothing,
      fit: nothing,
      setPlane: nothing,
      state: nothing,
      toCanvas: nothing,
    },
    readShown: nothing,
    light: { read: nothing, set: nothing },
  };
}
