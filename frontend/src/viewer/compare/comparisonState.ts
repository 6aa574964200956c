/** What the controls around two microscopes show; a store without React below, bound thinly above. */
import { createStore } from "zustand/vanilla";
import type { Mode, PairAddress } from "./address";
import type { Link } from "./registration";

export type Side = "left" | "right";

export interface PairState {
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

export type PairStore = ReturnType<typeof createPairStore>;

export const createPairStore = ({
  mode,
  divider,
  blend,
  swapped,
}: Pick<PairAddress, "mode" | "divider" | "blend" | "swapped">) =>
  createStore<PairState>(() => ({ mode, link: null, active: "left", divider, blend, swapped }));

/** While the slides are being opened. */
export const startPairState: PairStore = createPairStore({ mode: "side", divider: 0.5, blend: 1, swapped: false });

export const otherSide = (side: Side): Side => (side === "left" ? "right" : "left");
