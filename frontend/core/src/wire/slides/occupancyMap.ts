/** Which blocks of the plane that opens first are stored (store.md, ST61), so that none is asked for in vain before the layer index is here. */
import { type Address, type Pyramid } from "../../geometry/pyramid";
import type * as Wire from "../generated/types";

/** Plain data, as all of a manifest: two manifests that say the same are then known to be the same. */
export interface OccupancyMap {
  readonly plane: number;
  /** Per level: where each run ends, in blocks row by row. The first run is of stored blocks. */
  readonly ends: readonly (readonly number[])[];
}

/** `fault`: the error for runs that do not fit the pyramid, of their path in the manifest and what is wrong. */
export function occupancyMapOf(
  { plane, runs }: Wire.EmptinessView,
  pyramid: Pyramid,
  fault: (path: string, rule: string) => Error,
): OccupancyMap {
  if (runs.length !== pyramid.top) throw fault("/empty/runs", "runs are of other levels");
  const ends = runs.map((lengths) => endsOf(lengths));
  ends.forEach((levelEnds, level) => {
    const { columns, rows } = pyramid.tiles(level);
    if ((levelEnds.at(-1) ?? 0) !== columns * rows)
      throw fault(`/empty/runs/${level}`, "runs do not cover their level");
  });
  return { plane, ends };
}

/** Undefined for other planes. */
export function emptyByMap(
  { plane, ends }: OccupancyMap,
  pyramid: Pyramid,
  { z, level, x, y }: Address,
): boolean | undefined {
  if (z !== plane) return undefined;
  const index = y * pyramid.tiles(level).columns + x;
  return ends[level]!.findIndex((end) => index < end) % 2 === 1;
}

/** Where each run ends. */
function endsOf(lengths: readonly number[]): number[] {
  let end = 0;
  return lengths.map((length) => (end += length));
}
