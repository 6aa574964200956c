/** Which blocks of the plane that opens first are stored (store.md, ST61), so that none is asked for in vain before the layer index is here. */
import { type Address, type Pyramid } from "../geometry/pyramid";
import { ShapeError } from "./errors";
import { asArray, asObject, whole } from "./shape";

export class Emptiness {
  private constructor(
    private readonly pyramid: Pyramid,
    private readonly plane: number,
    /** Per level: where each run ends, in blocks row by row. The first run is of stored blocks. */
    private readonly ends: readonly (readonly number[])[],
  ) {}

  /** Null where the manifest does not tell. */
  static parse(value: unknown, pyramid: Pyramid): Emptiness | null {
    if (value === undefined || value === null) return null;
    const from = asObject(value, "empty");
    const levels = asArray(from.runs, "runs").map((runs) => asArray(runs, "runs"));
    if (levels.length !== pyramid.top) throw new ShapeError("empty blocks are told of other levels");
    return new Emptiness(pyramid, whole(from, "plane"), levels.map((runs, level) => endsOf(runs, pyramid, level)));
  }

  /** Undefined for other planes. */
  isEmpty({ z, level, x, y }: Address): boolean | undefined {
    if (z !== this.plane) return undefined;
    const place = y * this.pyramid.tiles(level).columns + x;
    return this.ends[level].findIndex((end) => place < end) % 2 === 1;
  }
}

function endsOf(runs: readonly unknown[], pyramid: Pyramid, level: number): number[] {
  let end = 0;
  const ends = runs.map((run) => {
    if (typeof run !== "number" || !Number.isInteger(run) || run < 0) throw new ShapeError("a run of blocks is no number");
    return (end += run);
  });
  const { columns, rows } = pyramid.tiles(level);
  if (end !== columns * rows) throw new ShapeError("runs of blocks do not cover their level");
  return ends;
}
