/** The item the viewer caches for a tile: it always yields the best picture there is now. */
import type { Size } from "../geometry/pyramid";

export interface Picture {
  /** Exactly pixels((z, level, x, y), layers). */
  readonly bitmap: ImageBitmap;
  readonly z: number;
  readonly layers: number;
}

export class TileHandle {
  /** Replaced as a whole, never changed: what is drawn is never a mixture. */
  private current: Picture | null = null;
  /** Why the store cannot give this tile (or not all its layers); null while all is well. */
  damage: string | null = null;
  /** When it was last in view; a running number, not a time. */
  lastSeen = 0;
  private users = 0;

  constructor(
    readonly level: number,
    readonly x: number,
    readonly y: number,
    /** Pixels of the tile inside the slide. */
    readonly size: Size,
  ) {}

  get picture(): Picture | null {
    return this.current;
  }

  get bytes(): number {
    return this.current ? 4 * this.current.bitmap.width * this.current.bitmap.height : 0;
  }

  /** True as soon as something can be drawn in this tile's place: its picture, or the mark of damage. */
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

export function handleKey(level: number, x: number, y: number): string {
  return `${level}/${x}/${y}`;
}
