import { type RefObject, useEffect, useState } from "react";
import { fallbackReason } from "../../viewer/core/device/capabilities";
import { Microscope } from "../../viewer/core/microscope";
import { openMicroscope } from "../../viewer/navigation/openMicroscope";
import { type PairAddress, parsePair } from "../../viewer/compare/address";
import { Pair } from "../../viewer/compare/comparison";
import type { Side } from "../../viewer/compare/comparisonState";
import { planeStepOf } from "../../viewer/compare/registration";
import { type Manifest, middlePlane } from "../../wire/slides/manifest";
import { closedHooks, pairHooks } from "../testHooks";
import { usePairAddress } from "./useComparisonAddress";

export type Sides<T> = Readonly<Record<Side, T>>;

/** Opens two microscopes for as long as the page shows these slide versions, each with half of the device. */
export function usePair(elements: Sides<RefObject<HTMLElement | null>>, left: Manifest, right: Manifest) {
  const [pair, setPair] = useState<Pair | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const { left: leftElement, right: rightElement } = elements;
  useEffect(() => {
    const open = new Opening();
    const start = parsePair(location.search, location.hash, planeStepOf(left, right));
    open.both(leftElement.current!, rightElement.current!, left, right, start).then(
      (opened) => {
        if (!opened) return;
        window.__wavescope = pairHooks(opened.scopes.left, opened.scopes.right);
        setPair(opened);
      },
      (error: Error) => setFailure(error),
    );
    return () => {
      open.close();
      window.__wavescope = closedHooks("compare");
      setPair(null);
    };
  }, [leftElement, rightElement, left, right]);
  usePairAddress(pair);
  return { pair, failure };
}

/** Two microscopes on their way to become a pair; may be closed at any time. */
class Opening {
  private readonly scopes: Microscope[] = [];
  private pair: Pair | null = null;
  private gone = false;

  /** The left one first: in every frame it then is drawn first. Null when closed meanwhile. */
  async both(
    left: HTMLElement,
    right: HTMLElement,
    leftSlide: Manifest,
    rightSlide: Manifest,
    start: PairAddress,
  ): Promise<Pair | null> {
    const one = await this.one(left, leftSlide, start.left?.plane);
    const other = one && (await this.one(right, rightSlide, start.right?.plane));
    if (!other) return null;
    return (this.pair = new Pair({ left: one, right: other }, start));
  }

  close(): void {
    this.gone = true;
    this.pair?.close();
    for (const scope of this.scopes) scope.close();
  }

  private async one(element: HTMLElement, slide: Manifest, plane?: number): Promise<Microscope | null> {
    if (this.gone) return null;
    const scope = await openMicroscope(element, slide, fallbackReason(), plane ?? middlePlane(slide.planes), 2);
    if (this.gone) {
      scope.close();
      return null;
    }
    this.scopes.push(scope);
    await new Promise<void>((resolve) => scope.viewer.addOnceHandler("open", () => resolve()));
    return this.gone ? null : scope;
  }
}
