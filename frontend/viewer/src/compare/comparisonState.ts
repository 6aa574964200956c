/** What the controls around two microscopes show; a store without React below, bound thinly above. */
import { createStore } from "zustand/vanilla";
import type { Mode, ComparisonAddress } from "./address";
import type { Link } from "./registration";

export type Side = "left" | "right";

export interface ComparisonState {
  readonly mode: Mode;
  /** Null: each is moved by itself. */
  readonly link: Link | null;
  /** The one moved last: the other follows it, keys go to it. */
  readonly active: Side;
  /** See PairAddress. */
  readonly divider: number;
  readonly blend: number;
  readonly swapped: boolean;
}

export type ComparisonStore = ReturnType<typeof createComparisonStore>;

export const createComparisonStore = ({
  mode,
  divider,
  blend,
  swapped,
}: Pick<ComparisonAddress, "mode" | "divider" | "blend" | "swapped">) =>
  createStore<ComparisonState>(() => ({ mode, link: null, active: "left", divider, blend, swapped }));

/** While the slides are being opened. */
export const startComparisonState: ComparisonStore = createComparisonStore({
  mode: "side",
  divider: 0.5,
  blend: 1,
  swapped: false,
});

export const otherSide = (side: Side): Side => (side === "left" ? "right" : "left");
