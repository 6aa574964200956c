/** What the scheduler knows of a tile: plain values. */

/** A tile of the focal plane in view. */
export interface TileRef {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** One picture to make: pixels((z, level, x, y), layers). */
export interface Job extends TileRef {
  readonly key: string;
  readonly z: number;
  readonly layers: number;
  /** Position in the view that the job was made for; 0 for tiles outside the field. */
  readonly order: number;
}

/** What is shown of a tile and what is being done about it. */
export interface TileRecord {
  readonly picture: { readonly z: number; readonly layers: number } | null;
  /** Why the tile is marked as damaged; null: it is not. */
  readonly damage: string | null;
  /** The picture that is being made. */
  readonly job: Job | null;
  /** Pictures in a row that could not be made, and why the last one could not. */
  readonly failures: number;
  readonly failure: string | null;
}

/** A name that is unique among the tiles of one slide, whatever their focal plane. */
export function tileKey(level: number, x: number, y: number): string {
  return `${level}/${x}/${y}`;
}
