import { useMemo } from "react";
import { useStore } from "zustand";
import { type Annotations, annotationsOf } from "@wavescope/viewer/annotate/annotations";
import type { AnnotationState } from "@wavescope/viewer/annotate/store/annotationState";
import type { Microscope } from "@wavescope/viewer/core/microscope";

export function useAnnotations(microscope: Microscope): Annotations {
  return useMemo(() => annotationsOf(microscope), [microscope]);
}

export function useAnnotationState<T>({ store }: Annotations, choose: (state: AnnotationState) => T): T {
  return useStore(store.state, choose);
}
