import { useMemo } from "react";
import { useStore } from "zustand";
import { type Annotations, annotationsOf } from "../../viewer/annotate/annotations";
import type { BookState } from "../../viewer/annotate/store/annotationStore";
import type { Microscope } from "../../viewer/core/microscope";

export function useAnnotations(scope: Microscope): Annotations {
  return useMemo(() => annotationsOf(scope), [scope]);
}

export function useBookState<T>({ book }: Annotations, choose: (state: BookState) => T): T {
  return useStore(book.state, choose);
}
