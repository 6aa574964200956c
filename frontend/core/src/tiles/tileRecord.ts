/** What the scheduler knows of a tile: plain values. */

/** A tile of the focal plane in view. */
export interface TileRef {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** Which pictures of the tiles: those of a focal plane, in one of the variants that their source can make (`PictureMaker.variant`). */
export interface Look {
  readonly z: number;
  readonly variant?: string | undefined;
}

/** Whether a picture, if there is one, has this look. */
export function hasLook(picture: Look | null | undefined, look: Look): boolean {
  return picture?.z === look.z && picture.variant === look.variant;
}

/** One picture to make: pixels((z, level, x, y), layers). */
export interface Job extends TileRef, Look {
  readonly key: string;
  readonly layers: number;
  /** Position in the view that the job was made for; 0 for tiles outside the field. */
  readonly order: number;
}

/** What is shown of a tile and what is being done about it. */
export interface TileRecord {
  readonly picture: (Look & { readonly layers: number }) | null;
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
