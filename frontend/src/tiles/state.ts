/** What is shown of a tile, and what that says about the whole field. */
import type { Address } from "../geometry/pyramid";

/**
 * `missing`: no pixels of its own yet (coarser ones may be drawn in its place); `preview`: few layers; `sharp`: as good as
 * the slide gets at full magnification, if not all that is stored (sharpness.ts); `exact`: pixels(tile, all); `damaged`: the store cannot give what its index promises.
 */
export type TileShown = "missing" | "preview" | "sharp" | "exact" | "damaged";

export interface TileState extends Pick<Address, "z" | "level" | "x" | "y"> {
  /** Layers in the picture drawn now; 0 while there is none. */
  readonly K: number;
  /** Layers the store holds. */
  readonly stored: number;
  readonly state: TileShown;
  /** The focal plane of the picture drawn now: the former one until the wanted one (z) is there. */
  readonly plane: number | null;
  readonly width: number;
  readonly height: number;
  /** Why the tile is damaged. */
  readonly reason: string | null;
}

/** `preview`: somewhere coarser or other pixels are drawn; `refining`: all tiles are there, some of them not sharp yet. */
export type Fidelity = "preview" | "refining" | "sharp" | "exact" | "damaged";

export function fidelityOf(tiles: readonly TileState[]): Fidelity {
  if (tiles.some((tile) => tile.state === "damaged")) return "damaged";
  if (tiles.some((tile) => tile.state === "missing" || tile.plane !== tile.z)) return "preview";
  if (tiles.some((tile) => tile.state === "preview")) return "refining";
  return tiles.every((tile) => tile.state === "exact") ? "exact" : "sharp";
}
