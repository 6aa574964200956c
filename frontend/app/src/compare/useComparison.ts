import { type RefObject, useEffect, useState } from "react";
import { fallbackReason } from "@wavescope/viewer/core/device/capabilities";
import { entriesIn } from "@wavescope/core/tiles/channels/mixEntries";
import { Microscope } from "@wavescope/viewer/core/microscope";
import type { ViewLink } from "@wavescope/viewer/core/viewLink";
import { openMicroscope } from "@wavescope/viewer/navigation/openMicroscope";
import { type ComparisonAddress, parseComparison } from "@wavescope/viewer/compare/address";
import { Comparison } from "@wavescope/viewer/compare/comparison";
import type { Side } from "@wavescope/viewer/compare/comparisonState";
import { planeStepOf } from "@wavescope/viewer/compare/registration";
import { type Manifest, middlePlane } from "@wavescope/core/wire/slides/manifest";
import { closedHooks, comparisonHooks } from "../testHooks";
import { useComparisonAddress } from "./useComparisonAddress";

export type Sides<T> = Readonly<Record<Side, T>>;

/** Opens two microscopes for as long as the page shows these slide versions, each with half of the device. */
export function useComparison(elements: Sides<RefObject<HTMLElement | null>>, left: Manifest, right: Manifest) {
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const { left: leftElement, right: rightElement } = elements;
  useEffect(() => {
    const open = new Opening();
    const start = parseComparison(location.search, location.hash, planeStepOf(left, right));
    open.both(leftElement.current!, rightElement.current!, left, right, start).then(
      (opened) => {
        if (!opened) return;
        window.__wavescope = comparisonHooks(opened.microscopes.left, opened.microscopes.right);
        setComparison(opened);
      },
      (error: unknown) => setFailure(error as Error),
    );
    return () => {
      open.close();
      window.__wavescope = closedHooks("compare");
      setComparison(null);
    };
  }, [leftElement, rightElement, left, right]);
  useComparisonAddress(comparison);
  return { comparison, failure };
}

/** Two microscopes that open for a comparison; may be closed at any time. */
export class Opening {
  private readonly microscopes: Microscope[] = [];
  private comparison: Comparison | null = null;
  private gone = false;

  /** The left one first: in every frame it then is drawn first. Null when closed meanwhile. */
  async both(
    left: HTMLElement,
    right: HTMLElement,
    leftSlide: Manifest,
    rightSlide: Manifest,
    start: ComparisonAddress,
  ): Promise<Comparison | null> {
    const leftMicroscope = await this.one(left, leftSlide, start.left);
    const other = leftMicroscope && (await this.one(right, rightSlide, start.right));
    if (!other) return null;
    return (this.comparison = new Comparison({ left: leftMicroscope, right: other }, start));
  }

  close(): void {
    this.gone = true;
    this.comparison?.close();
    for (const microscope of this.microscopes) microscope.close();
  }

  private async one(element: HTMLElement, slide: Manifest, view: ViewLink | null): Promise<Microscope | null> {
    if (this.gone) return null;
    const plane = view?.plane ?? middlePlane(slide.planes);
    const mix = entriesIn(view?.adjustments ?? {});
    const microscope = await openMicroscope(element, slide, fallbackReason(), plane, 2, mix);
    if (this.gone) {
      microscope.close();
      return null;
    }
    this.microscopes.push(microscope);
    await new Promise<void>((resolve) => microscope.viewer.addOnceHandler("open", () => resolve()));
    return this.gone ? null : microscope;
  }
}
