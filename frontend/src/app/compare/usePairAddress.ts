import { useEffect } from "react";
import { lightOf } from "../../viewer/light/light";
import { pairHash } from "../../viewer/pair/address";
import type { Pair } from "../../viewer/pair/pair";
import { readPlace } from "../../viewer/view";

const REST_MILLISECONDS = 300;

/** Keeps the address bar at what is seen, without a history entry for each move. */
export function usePairAddress(pair: Pair | null): void {
  useEffect(() => {
    if (!pair) return;
    let timer: ReturnType<typeof setTimeout>;
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState(history.state, "", addressOf(pair)), REST_MILLISECONDS);
    };
    const scopes = [pair.scopes.left, pair.scopes.right];
    const stops = [pair.state.subscribe(later), ...scopes.flatMap((scope) => [scope.state.subscribe(later), lightOf(scope).state.subscribe(later)])];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [pair]);
}

function addressOf(pair: Pair): string {
  const { mode, link, divider, blend, swapped } = pair.state.getState();
  const { left, right } = pair.scopes;
  const query = new URLSearchParams(location.search);
  if (mode === "swipe") query.set("mode", mode);
  else query.delete("mode");
  const hash = pairHash({ left: readPlace(left), right: readPlace(right), link: link ?? "off", divider, blend, swapped });
  return `${location.pathname}?${query}${hash}`;
}
