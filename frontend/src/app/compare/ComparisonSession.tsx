import { useEffect } from "react";
import { useStore } from "zustand";
import type { Pair } from "../../viewer/compare/comparison";
import { live } from "../session/state/live";
import { PairBinding } from "./comparisonBinding";

/** Binds two slides to the session, side by side or upon each other for all. */
export function PairSession({ pair }: { readonly pair: Pair }) {
  const here = useStore(live, (state) => state.live);
  useEffect(() => {
    if (!here) return;
    const binding = new PairBinding(pair, here);
    return () => binding.close();
  }, [pair, here]);
  return null;
}
