import { type RefObject, useEffect, useState } from "react";
import { fallbackReason } from "@wavescope/viewer/core/device/capabilities";
import { entriesIn } from "@wavescope/core/tiles/channels/mixEntries";
import { Microscope } from "@wavescope/viewer/core/microscope";
import type { ViewLink } from "@wavescope/viewer/core/viewLink";
import { openMicroscope } from "@wavescope/viewer/navigation/openMicroscope";
import { type ComparisonAddress, parseComparison } from "@wavescope/viewer/compare/address";
import { Comparison } from "@wavescope/viewer/compare/comparison";
import { planeStepsOf } from "@wavescope/viewer/compare/links";
import { type Manifest, middlePlane } from "@wavescope/core/wire/slides/manifest";
import { closedHooks } from "../closedHooks";
import { comparisonHooks } from "../testHooks";
import { useComparisonAddress } from "./useComparisonAddress";

type Container = RefObject<HTMLElement | null>;

/** Opens a microscope in each container for as long as the page shows these slide versions, each with its part of the device. */
export function useComparison(containers: readonly Container[], slides: readonly Manifest[]) {
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    const open = new Opening();
    const start = parseComparison(location.search, location.hash, planeStepsOf(slides));
    const elements = containers.map(({ current }) => current!);
    open.all(elements, slides, start).then(
      (opened) => {
        if (!opened) return;
        window.__wavescope = comparisonHooks(opened.microscopes);
        setComparison(opened);
      },
      (error: unknown) => setFailure(error as Error),
    );
    return () => {
      open.close();
      window.__wavescope = closedHooks("compare");
      setComparison(null);
    };
  }, [containers, slides]);
  useComparisonAddress(comparison);
  return { comparison, failure };
}

/** Microscopes that open for a comparison; may be closed at any time. */
export class Opening {
  private readonly microscopes: Microscope[] = [];
  private comparison: Comparison | null = null;
  private gone = false;

  /** In their order: in every frame they are then drawn in it. Null when closed meanwhile. */
  async all(
    elements: readonly HTMLElement[],
    slides: readonly Manifest[],
    start: ComparisonAddress,
  ): Promise<Comparison | null> {
    for (const [pane, slide] of slides.entries())
      if (!(await this.one(elements[pane]!, slide, start.views[pane] ?? null, slides.length))) return null;
    return (this.comparison = new Comparison(this.microscopes, start));
  }

  close(): void {
    this.gone = true;
    this.comparison?.close();
    for (const microscope of this.microscopes) microscope.close();
  }

  private async one(element: HTMLElement, slide: Manifest, view: ViewLink | null, panes: number): Promise<boolean> {
    if (this.gone) return false;
    const plane = view?.plane ?? middlePlane(slide.planes);
    const mix = entriesIn(view?.adjustments ?? {});
    const microscope = await openMicroscope(element, slide, fallbackReason(), plane, panes, mix);
    if (this.gone) {
      microscope.close();
      return false;
    }
    this.microscopes.push(microscope);
    await new Promise<void>((resolve) => microscope.viewer.addOnceHandler("open", () => resolve()));
    return !this.gone;
  }
}
