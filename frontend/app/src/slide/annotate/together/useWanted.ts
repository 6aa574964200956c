import { useEffect } from "react";
import { useStore } from "zustand";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { useAnnotationState } from "../../../microscope/useAnnotations";
import { wantedAnnotation } from "../../../microscope/wantedAnnotation";
import { showObject } from "../showObject";

/** Selects and shows the annotation that another page leads to, as soon as the slide has it. */
export function useWanted(annotations: Annotations): void {
  const { slide, annotation } = useStore(wantedAnnotation);
  const { store, layer } = annotations;
  const here = slide === layer.microscope.manifest.id ? annotation : null;
  const ready = useAnnotationState(annotations, () => here !== null && store.get(here) !== null);
  useEffect(() => {
    if (!ready || here === null) return;
    wantedAnnotation.setState({ annotation: null });
    store.select([here]);
    showObject(annotations, here, true);
  }, [ready, here, store, annotations]);
}
