/** What the controls around several microscopes show; a store without React below, bound thinly above. */
import { createStore } from "zustand/vanilla";
import { type ComparisonAddress, type Mode, type TwoPanes, emptyAddress } from "./address";
import type { Links } from "./links";

export interface ComparisonState {
  readonly mode: Mode;
  /** Null: each is moved by itself. */
  readonly links: Links | null;
  /** The one moved last: the others follow it, keys go to it. */
  readonly active: number;
  /** See ComparisonAddress. */
  readonly swiped: TwoPanes;
  readonly divider: number;
  readonly blend: number;
  readonly swapped: boolean;
}

export type ComparisonStore = ReturnType<typeof createComparisonStore>;

export const createComparisonStore = ({
  mode,
  swiped,
  divider,
  blend,
  swapped,
}: Pick<ComparisonAddress, "mode" | "swiped" | "divider" | "blend" | "swapped">) =>
  createStore<ComparisonState>(() => ({ mode, links: null, active: 0, swiped, divider, blend, swapped }));

/** While the slides are being opened. */
export const startComparisonState: ComparisonStore = createComparisonStore(emptyAddress(2));

/** Whether a pane is seen: all of them side by side, two while swiping. */
export function isShown({ mode, swiped }: Pick<ComparisonState, "mode" | "swiped">, pane: number): boolean {
  return mode === "side" || swiped.includes(pane);
}
