import { useEffect } from "react";
import { lightOf } from "@wavescope/viewer/light/light";
import { comparisonHash, parseComparison } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { planeStepsOf } from "@wavescope/viewer/compare/links";
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
  const { microscopes } = comparison;
  const planeSteps = planeStepsOf(microscopes.map(({ manifest }) => manifest));
  const back = (): void => {
    if (location.pathname === pathname) comparison.show(parseComparison(location.search, location.hash, planeSteps));
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

function addressOf(comparison: Comparison): string {
  const address = comparison.address();
  const query = new URLSearchParams(location.search);
  if (address.mode === "swipe") query.set("mode", address.mode);
  else query.delete("mode");
  return `${location.pathname}?${query}${comparisonHash(address)}`;
}
