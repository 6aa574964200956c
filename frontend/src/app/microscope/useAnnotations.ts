import { useMemo } from "react";
import { useStore } from "zustand";
import { type Annotations, annotationsOf } from "../../viewer/annotate/annotations";
import type { AnnotationState } from "../../viewer/annotate/store/annotationStore";
import type { Microscope } from "../../viewer/core/microscope";

export function useAnnotations(scope: Microscope): Annotations {
  return useMemo(() => annotationsOf(scope), [scope]);
}

export function useAnnotationState<T>({ store }: Annotations, choose: (state: AnnotationState) => T): T {
  return useStore(store.state, choose);
}
