/** What is shown of a tile, and what that says about the whole field. */
import type { Address, Size } from "../geometry/pyramid";
import { type Look, type TileRecord, type TileRef, hasLook } from "./tileRecord";

/**
 * `missing`: no pixels of its own yet (coarser ones may be drawn instead); `preview`: few layers; `sharp`: as good as
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
  /** Whether it has the plane and the variant that are wanted. */
  readonly current: boolean;
  readonly width: number;
  readonly height: number;
  /** Why the tile is damaged. */
  readonly reason: string | null;
}

export interface DrawnTile extends TileRef, Pick<TileRecord, "picture" | "damage"> {
  readonly size: Size;
}

/** What is drawn of one tile of the field, of which this look is wanted; `stored`: all layers, `sharp`: from how many on its level is sharp. */
export function stateOf(
  { level, x, y, picture, damage, size }: DrawnTile,
  { stored, sharp, ...look }: Look & { readonly stored: number; readonly sharp: number },
): TileState {
  const K = picture?.layers ?? 0;
  const current = hasLook(picture, look);
  const layers = current ? K : 0;
  const quality = layers === stored ? "exact" : layers >= sharp ? "sharp" : "preview";
  const state = damage !== null ? "damaged" : K === 0 ? "missing" : quality;
  return { z: look.z, level, x, y, K, stored, state, plane: picture?.z ?? null, current, ...size, reason: damage };
}

/** `preview`: somewhere coarser or other pixels are drawn; `refining`: all tiles are there, some of them not sharp yet. */
export type Fidelity = "preview" | "refining" | "sharp" | "exact" | "damaged";

export function fidelityOf(tiles: readonly TileState[]): Fidelity {
  if (tiles.some((tile) => tile.state === "damaged")) return "damaged";
  if (tiles.some((tile) => tile.state === "missing" || !tile.current)) return "preview";
  if (tiles.some((tile) => tile.state === "preview")) return "refining";
  return tiles.every((tile) => tile.state === "exact") ? "exact" : "sharp";
}
