/** The item the viewer caches for a tile: it always yields the best picture there is now. */
import type { Size } from "../geometry/pyramid";
import type { TileImage } from "./pictures";
import { type Job, type Look, type TileRecord, tileKey } from "./tileRecord";

export interface Picture extends Look {
  /** Exactly pixels((z, level, x, y), layers). */
  readonly bitmap: TileImage;
  readonly layers: number;
}

export class TileHandle implements TileRecord {
  readonly key: string;
  /** Replaced as a whole, never changed: what is drawn is never a mixture. */
  private current: Picture | null = null;
  /** Why the store cannot give this tile (or not all its layers); null while it can. */
  damage: string | null = null;
  /** When it was last in view; a running number, not a time. */
  lastSeen = 0;
  /** The picture that is being made. */
  job: Job | null = null;
  /** Pictures in a row that could not be made, and why the last one could not. */
  failures = 0;
  failure: string | null = null;
  private users = 0;

  constructor(
    readonly level: number,
    readonly x: number,
    readonly y: number,
    /** Pixels of the tile inside the slide. */
    readonly size: Size,
  ) {
    this.key = tileKey(level, x, y);
  }

  get picture(): Picture | null {
    return this.current;
  }

  get bytes(): number {
    return this.current ? 4 * this.current.bitmap.width * this.current.bitmap.height : 0;
  }

  /** True as soon as something can be drawn for this tile: its picture, or the mark of damage. */
  get drawable(): boolean {
    return this.current !== null || this.damage !== null;
  }

  get inUse(): boolean {
    return this.users > 0;
  }

  /** Takes over the bitmap and closes the former one. */
  show(picture: Picture | null): void {
    this.current?.bitmap.close();
    this.current = picture;
  }

  /** A picture could not be made. */
  failed(reason: string): void {
    this.failures += 1;
    this.failure = reason;
  }

  /** A picture could be made: failures before it no longer count. */
  succeeded(): void {
    this.failures = 0;
    this.failure = null;
  }

  /** One more cache record points here. */
  retain(): this {
    this.users += 1;
    return this;
  }

  /** The last one to leave closes the bitmap. */
  release(): void {
    this.users -= 1;
    if (this.users <= 0) this.show(null);
  }
}
