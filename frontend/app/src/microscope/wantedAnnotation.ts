/** The annotation that a slide is to show as soon as it has it: another page leads there. Without React. */
import { createStore } from "zustand/vanilla";

interface Wanted {
  readonly slide: string;
  readonly annotation: string | null;
}

export const wantedAnnotation = createStore<Wanted>(() => ({ slide: "", annotation: null }));
