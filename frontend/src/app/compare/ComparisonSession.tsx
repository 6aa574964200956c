import { useEffect } from "react";
import { useStore } from "zustand";
import type { Comparison } from "../../viewer/compare/comparison";
import { live } from "../session/state/live";
import { ComparisonBinding } from "./comparisonBinding";

/** Binds two slides to the session, side by side or one over the other for all members. */
export function ComparisonSession({ comparison }: { readonly comparison: Comparison }) {
  const here = useStore(live, (state) => state.live);
  useEffect(() => {
    if (!here) return;
    const binding = new ComparisonBinding(comparison, here);
    return () => binding.close();
  }, [comparison, here]);
  return null;
}
