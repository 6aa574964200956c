import { useEffect } from "react";
import { lightOf } from "../../viewer/light/light";
import { type PairAddress, pairHash, parsePair } from "../../viewer/compare/address";
import type { Pair } from "../../viewer/compare/comparison";
import { planeStepOf } from "../../viewer/compare/registration";
import { readPlace } from "../../viewer/view/view";
import { composeAddress } from "../microscope/browserHistory";

const REST_MILLISECONDS = 300;

/** Keeps the address bar at what is seen, and the slides at what back, forward or an edited address ask for. */
export function usePairAddress(pair: Pair | null): void {
  useEffect(() => {
    if (!pair) return;
    const { pathname } = location;
    let timer: ReturnType<typeof setTimeout>;
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState(history.state, "", addressOf(pair)), REST_MILLISECONDS);
    };
    const scopes = [pair.scopes.left, pair.scopes.right];
    const back = (): void => {
      if (location.pathname === pathname) pair.show(addressIn(pair));
    };
    addEventListener("popstate", back);
    for (const scope of scopes) composeAddress(scope, () => addressOf(pair));
    const stops = [
      pair.state.subscribe(later),
      pair.marking.state.subscribe(later),
      ...scopes.flatMap((scope) => [scope.state.subscribe(later), lightOf(scope).state.subscribe(later)]),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      removeEventListener("popstate", back);
    };
  }, [pair]);
}

function addressIn({ scopes: { left, right } }: Pair): PairAddress {
  return parsePair(location.search, location.hash, planeStepOf(left.manifest, right.manifest));
}

function addressOf(pair: Pair): string {
  const { mode, link, divider, blend, swapped } = pair.state.getState();
  const { pairs: landmarks } = pair.marking.state.getState();
  const { left, right } = pair.scopes;
  const query = new URLSearchParams(location.search);
  if (mode === "swipe") query.set("mode", mode);
  else query.delete("mode");
  const hash = pairHash({
    left: readPlace(left),
    right: readPlace(right),
    link: link ?? "off",
    landmarks,
    divider,
    blend,
    swapped,
  });
  return `${location.pathname}?${query}${hash}`;
}
