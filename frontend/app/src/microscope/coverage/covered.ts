/** What was seen of the tissue, for what shows it. */
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { coverageOf } from "@wavescope/viewer/navigation/coverage";
import { type SeenMap, coveredParts, objectiveReached, seenMap } from "@wavescope/viewer/navigation/seenViews";
import { type TissueMask, tissueOf } from "@wavescope/viewer/navigation/tissue";
import { coverageObjectives } from "./coverage";

export interface Covered {
  readonly mask: TissueMask;
  readonly seen: SeenMap;
  /** The objective of the present view; -1: a weaker one than all. */
  readonly objective: number;
  /** Of the objectives, ascending: device pixels per level-0 pixel. */
  readonly scales: readonly number[];
  /** Parts of the tissue, 0 to 1, that were seen at each objective or a stronger one. */
  readonly parts: readonly { readonly label: string; readonly part: number }[];
}

/** Null until the tissue is known. */
export function useCovered(microscope: Microscope): Covered | null {
  const [mask, setMask] = useState<TissueMask | null>(null);
  useEffect(() => {
    let gone = false;
    tissueOf(microscope).then(
      (found) => !gone && setMask(found),
      () => undefined, // the step through the tissue tells of it
    );
    return () => void (gone = true);
  }, [microscope]);
  const views = useStore(coverageOf(microscope), (coverage) => coverage.views);
  const objectives = useMemo(() => coverageObjectives(microscope), [microscope]);
  const scales = useMemo(() => objectives.map(({ scale }) => scale), [objectives]);
  const objective = useStore(microscope.state, ({ scale }) => objectiveReached(scales, scale));
  return useMemo(() => {
    if (!mask) return null;
    const seen = seenMap(mask, views, scales);
    const parts = coveredParts(mask, seen, scales.length).map((part, i) => ({ label: objectives[i]!.label, part }));
    return { mask, seen, objective, scales, parts };
  }, [mask, views, scales, objectives, objective]);
}
