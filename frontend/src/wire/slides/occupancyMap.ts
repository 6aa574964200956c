/** Which blocks of the plane that opens first are stored (store.md, ST61), so that none is asked for in vain before the layer index is here. */
import { type Address, type Pyramid } from "../../geometry/pyramid";
import { ShapeError } from "../http/errors";
import { asArray, asObject, whole } from "../http/shape";

/** Plain data, as all of a manifest: two manifests that say the same are then known to be the same. */
export interface Emptiness {
  readonly plane: number;
  /** Per level: where each run ends, in blocks row by row. The first run is of stored blocks. */
  readonly ends: readonly (readonly number[])[];
}

/** Null where the manifest does not tell. */
export function parseEmptiness(value: unknown, pyramid: Pyramid): Emptiness | null {
  if (value === undefined || value === null) return null;
  const from = asObject(value, "empty");
  const levels = asArray(from.runs, "runs").map((runs) => asArray(runs, "runs"));
  if (levels.length !== pyramid.top) throw new ShapeError("empty blocks are told of other levels");
  return { plane: whole(from, "plane"), ends: levels.map((runs, level) => endsOf(runs, pyramid, level)) };
}

/** Undefined for other planes. */
export function toldEmpty(
  { plane, ends }: Emptiness,
  pyramid: Pyramid,
  { z, level, x, y }: Address,
): boolean | undefined {
  if (z !== plane) return undefined;
  const place = y * pyramid.tiles(level).columns + x;
  return ends[level].findIndex((end) => place < end) % 2 === 1;
}

function endsOf(runs: readonly unknown[], pyramid: Pyramid, level: number): number[] {
  let end = 0;
  const ends = runs.map((run) => {
    if (typeof run !== "number" || !Number.isInteger(run) || run < 0)
      throw new ShapeError("a run of blocks is no number");
    return (end += run);
  });
  const { columns, rows } = pyramid.tiles(level);
  if (end !== columns * rows) throw new ShapeError("runs of blocks do not cover their level");
  return ends;
}
