import { useEffect } from "react";
import { lightOf } from "@wavescope/viewer/light/light";
import { type ComparisonAddress, comparisonHash, parseComparison } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { planeStepOf } from "@wavescope/viewer/compare/registration";
import { readViewLink } from "@wavescope/viewer/view/view";
import { composeAddress } from "../microscope/browserHistory";

const REST_MILLISECONDS = 300;

/** Keeps the address bar equal to what is seen, and shows what back, forward or an edited address ask for. */
export function useComparisonAddress(comparison: Comparison | null): void {
  useEffect(() => (comparison ? followComparisonAddress(comparison) : undefined), [comparison]);
}

/** The same without React, until the returned function is called. */
export function followComparisonAddress(comparison: Comparison): () => void {
  const { pathname } = location;
  let timer: ReturnType<typeof setTimeout>;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(history.state, "", addressOf(comparison)), REST_MILLISECONDS);
  };
  const microscopes = [comparison.microscopes.left, comparison.microscopes.right];
  const back = (): void => {
    if (location.pathname === pathname) comparison.show(addressIn(comparison));
  };
  addEventListener("popstate", back);
  for (const microscope of microscopes) composeAddress(microscope, () => addressOf(comparison));
  const stops = [
    comparison.state.subscribe(later),
    comparison.marking.state.subscribe(later),
    comparison.alignment.state.subscribe(later),
    ...microscopes.flatMap((microscope) => [
      microscope.state.subscribe(later),
      lightOf(microscope).state.subscribe(later),
    ]),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
    removeEventListener("popstate", back);
  };
}

function addressIn({ microscopes: { left, right } }: Comparison): ComparisonAddress {
  return parseComparison(location.search, location.hash, planeStepOf(left.manifest, right.manifest));
}

function addressOf(comparison: Comparison): string {
  const { mode, link, divider, blend, swapped } = comparison.state.getState();
  const { pairs: landmarks } = comparison.marking.state.getState();
  const { left, right } = comparison.microscopes;
  const query = new URLSearchParams(location.search);
  if (mode === "swipe") query.set("mode", mode);
  else query.delete("mode");
  const hash = comparisonHash({
    left: readViewLink(left),
    right: readViewLink(right),
    link: link ?? "off",
    landmarks,
    automatic: comparison.alignment.state.getState().found !== null && link?.places !== undefined,
    divider,
    blend,
    swapped,
  });
  return `${location.pathname}?${query}${hash}`;
}
