/** The size of the brush. */
import type { AnnotationStore } from "@wavescope/viewer/annotate/store/annotationStore";

export const BRUSH = { least: 6, most: 240 } as const; // CSS pixels
const FACTOR = 1.25;

/** So many steps wider, or narrower. */
export function brushWider(store: AnnotationStore, steps: number): void {
  const { brush } = store.state.getState();
  const width = Math.min(BRUSH.most, Math.max(BRUSH.least, Math.round(brush.width * FACTOR ** steps)));
  store.set({ brush: { ...brush, width } });
}
