import { useEffect } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { coverageOf, trackCoverage } from "@wavescope/viewer/navigation/coverage";
import { keepCoverage } from "./coverage";
import { later } from "../../ui/later/Later";

export interface DrawingProps {
  readonly microscope: Microscope;
}

const CoverageCanvas = later<DrawingProps>(async () => (await import("./CoverageCanvas")).CoverageCanvas);

/** What was seen, over the overview, where it is to be shown. */
export function CoverageDrawing({ microscope }: DrawingProps) {
  const shown = useStore(coverageOf(microscope), (coverage) => coverage.shown);
  useEffect(() => {
    const stop = keepCoverage(microscope);
    const leave = trackCoverage(microscope);
    return () => {
      leave();
      stop();
    };
  }, [microscope]);
  return shown && <CoverageCanvas microscope={microscope} />;
}
