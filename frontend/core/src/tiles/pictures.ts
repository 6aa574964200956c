/** Where pictures of tiles come from: the interface between the engine and the two ways to make a picture. */
import type { Address, Size } from "../geometry/pyramid";
import type { MixEntries } from "./channels/mixEntries";

/** What the user is looking at. */
export interface FieldRequest {
  /** The tiles of the wanted level in view, nearest to the centre first. */
  readonly tiles: readonly Address[];
  /** Layers wanted: 1 for a first picture, all for an exact one (the first picture's come first all the same). */
  readonly layers: number;
}

export interface Availability {
  /** The largest K for which pixels(tile, K) can be made from what is here. */
  readonly layers: number;
  /** The largest K that the store can still give; below the stored number only if something in the chain is damaged. */
  readonly attainable: number;
  /** Why `attainable` is not all. */
  readonly reason: string | null;
}

/** Lower comes first; null: the picture is no longer wanted. Asked whenever a choice is made. */
export type Priority = () => number | null;

/** What the engine needs. */
export interface PictureMaker {
  /** Which of its variants the pictures have that are made from now on; sources with one leave it out. A change is reported by `changed`. */
  readonly variant?: string;
  /** Fetches what is missing for a view; nothing is fetched twice. Requests for what is no longer wanted are aborted. */
  fetch(field: FieldRequest): void;
  /**
   * Fetches first pictures' layers of tiles that may be looked at next, when nothing that is wanted is left to fetch. Each call replaces
   * the one before; what is underway and neither wanted nor next is aborted by the following `fetch`.
   */
  prefetch(tiles: readonly Address[]): void;
  availability(tile: Address): Availability;
  /** A picture of exactly pixels(tile, layers); null when it was no longer wanted before it was begun. Of a slide of channels: each has so many layers or more. */
  make(tile: Address, layers: number, priority: Priority): Promise<TileImage | null>;
  /** The same at once, of the present variant, if all that it needs is decoded; else null. */
  makeNow?(tile: Address, layers: number): TileImage | null;
  /** Priorities have changed. */
  reprioritise(): void;
}

/** What is drawn for a tile: it belongs to who asked for it, who closes it. */
export type TileImage = (ImageBitmap | OffscreenCanvas) & { close(): void };

export interface RgbaPixels extends Size {
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

export interface SourceMemory {
  /** Samples, also those on the graphics processor. */
  readonly decodedBytes: number;
  readonly wasmBytes: number;
  readonly compressedBytes: number;
  readonly workers: number;
  /** What mixes channels. */
  readonly mixer?: "webgl" | "canvas";
}

export interface PictureSource extends PictureMaker {
  /** `server`: pictures are made by the service, because this browser cannot. */
  readonly kind: "wavelet" | "server";
  /** Of a slide of channels: the variant that its thumbnail shows. */
  readonly ownVariant?: string;
  /** Of a slide of channels: mixes its pictures so from now on; null: as the slide says. */
  setMix?(mix: MixEntries | null): void;
  /** Of a slide of several focal planes that are decoded here: pictures of one plane, or of all with extended depth of field. */
  readonly setExtended?: (on: boolean) => void;
  /** RGBA of pixels(tile, layers), for tests: fetches what is missing. */
  pixels(tile: Address, layers: number): Promise<RgbaPixels>;
  /** The network is back, says the browser: do not wait any longer. */
  retryNow(): void;
  memory(): Promise<SourceMemory>;
  close(): void;
}

export interface PictureEvents {
  /** More can be made than before, or something turned out to be damaged. */
  changed(): void;
  /** The service does not answer, or answers again. */
  readonly offline: (offline: boolean) => void;
  /** The slide has a newer version, or is gone. */
  stale(): void;
}
