import { useSyncExternalStore } from "react";

/** CSS pixels of a custom property of the page (density.css); `usual` where its sheet is not here yet. */
export function useLength(name: string, usual: number): number {
  return useSyncExternalStore(
    subscribe,
    () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || usual,
  );
}

function subscribe(changed: () => void): () => void {
  addEventListener("resize", changed);
  return () => removeEventListener("resize", changed);
}
