/** What the controls around the microscope show; a store without React below, bound thinly above. */
import { createStore } from "zustand/vanilla";
import { type Fidelity, type TileState, fidelityOf } from "@wavescope/core/tiles/state";
import type { Region } from "@wavescope/core/geometry/field";

export interface ViewState {
  readonly fidelity: Fidelity;
  /** Reasons of the damage in view. */
  readonly damage: readonly string[];
  readonly offline: boolean;
  /** The slide was replaced or deleted while it was open. */
  readonly stale: boolean;
  /** The view is that of a live session or a replay: it is shown elsewhere, or led from there. */
  readonly shared: boolean;
  readonly kind: "wavelet" | "server";
  /** Why pictures come from the service; null when they do not. */
  readonly fallbackReason: string | null;
  readonly plane: number;
  /** Layers of the least refined tile in view. */
  readonly layers: number;
  /** Device pixels per level-0 pixel. */
  readonly scale: number;
  readonly level: number;
  /** The field of view before it is turned. */
  readonly region: Region;
  /** Degrees by which the slide is turned on the screen, clockwise, in [0, 360). */
  readonly rotation: number;
  /** Whether the (turned) picture is mirrored left to right. */
  readonly flip: boolean;
  readonly bytes: number;
  readonly rawBytes: number;
}

export const startState: ViewState = {
  fidelity: "preview",
  damage: [],
  offline: false,
  stale: false,
  shared: false,
  kind: "wavelet",
  fallbackReason: null,
  plane: 0,
  layers: 0,
  scale: 1,
  level: 0,
  region: { l0_x: 0, l0_y: 0, l0_width: 1, l0_height: 1 },
  rotation: 0,
  flip: false,
  bytes: 0,
  rawBytes: 0,
};

/** Always the same object, so that no subscriber sees a change. */
const NO_DAMAGE: readonly string[] = [];

/** How good the tiles in view are, all together; `stored`: layers that a slide of this kind has. */
export function qualityOf(
  tiles: readonly TileState[],
  stored: number,
): Pick<ViewState, "fidelity" | "damage" | "layers"> {
  const damage = [...new Set(tiles.flatMap((tile) => (tile.state === "damaged" && tile.reason ? [tile.reason] : [])))];
  const layers = tiles.reduce((least, tile) => Math.min(least, tile.K), stored);
  return {
    fidelity: tiles.length > 0 ? fidelityOf(tiles) : "preview",
    damage: damage.length > 0 ? damage : NO_DAMAGE,
    layers,
  };
}

export const createViewStore = () => createStore<ViewState>(() => startState);
export type ViewStore = ReturnType<typeof createViewStore>;
