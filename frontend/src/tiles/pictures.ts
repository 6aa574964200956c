/** Where pictures of tiles come from: the joint between the engine and the two ways to make one. */
import type { Address } from "../geometry/pyramid";
import type { DecodedPixels } from "../codec/protocol";
import type { Availability } from "./plan";

/** What the user is looking at. */
export interface Want {
  /** The tiles of the wanted level in view, nearest to the centre first. */
  readonly tiles: readonly Address[];
  /** Layers wanted: 1 for a first picture, all for an exact one (the first picture's come first all the same). */
  readonly layers: number;
}

export interface PictureSource {
  /** `server`: pictures are made by the service, because this browser cannot. */
  readonly kind: "wavelet" | "server";
  /** Fetches what is missing for a view; nothing is fetched twice. Requests for what is no longer wanted are aborted. */
  fetch(want: Want): void;
  /**
   * Fetches first pictures' layers of tiles that may be looked at next, when nothing that is wanted is left to fetch. Each call takes
   * the place of the one before; what is underway and neither wanted nor next is aborted by the following `fetch`.
   */
  prefetch(tiles: readonly Address[]): void;
  /** Requests underway, of which a first picture of the last want depends. */
  readonly busy: boolean;
  availability(tile: Address): Availability;
  /**
   * A picture of exactly pixels(tile, layers). `priority` is asked whenever a choice is made: lower comes first, null means that
   * nobody wants it any more (the promise is then rejected with DroppedError).
   */
  make(tile: Address, layers: number, priority: () => number | null): Promise<ImageBitmap>;
  /** RGBA of pixels(tile, layers), for tests: fetches what is missing. */
  pixels(tile: Address, layers: number): Promise<DecodedPixels>;
  /** The network is back, says the browser: do not wait any longer. */
  retryNow(): void;
  /** Priorities have changed. */
  reconsider(): void;
  memory(): Promise<{ decodedBytes: number; wasmBytes: number; compressedBytes: number; workers: number }>;
  close(): void;
}

export interface PictureEvents {
  /** More can be made than before, or something turned out to be harmed. */
  changed(): void;
  /** The service does not answer, or answers again. */
  offline(offline: boolean): void;
  /** The slide has a newer version, or is gone. */
  stale(): void;
}
