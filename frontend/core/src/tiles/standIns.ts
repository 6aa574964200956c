/** What is shown in place of a tile that the store cannot give: the finest of its ancestors that is intact. Pure. */
import { type Address, address } from "../geometry/pyramid";
import type { Availability } from "./pictures";

/** The finest ancestor of which a picture can be made now; null where there is none (yet). */
export function standInFor(tile: Address, top: number, availability: (tile: Address) => Availability): Address | null {
  for (let level = tile.level + 1; level <= top; level += 1) {
    const shift = level - tile.level;
    const above = address(tile.z, level, tile.x >> shift, tile.y >> shift);
    if (availability(above).layers >= 1) return above;
  }
  return null;
}
