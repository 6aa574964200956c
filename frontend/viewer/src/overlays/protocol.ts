/** What the page and the worker of overlays say to each other. Every message but `cancel` is answered by one with its number. */
import type { Box } from "@wavescope/core/geometry/shape";
import type { Hit, RegionSums, Ring, ShapeHit } from "@wavescope/core/overlays/hits";
import type { Loaded } from "@wavescope/core/overlays/loader";
import type { Drawn } from "@wavescope/core/overlays/plan";
import type { RasterInfo } from "@wavescope/core/overlays/rasterTile";
import type { StyleTables } from "@wavescope/core/overlays/style";
import type { ClassCounts } from "@wavescope/core/overlays/tile";
import type { Scene } from "./paint/painter";

/** Who draws: `auto` is WebGL where there is a graphics card, else the processor. */
export type PainterChoice = "auto" | "webgl" | "canvas";

/** The tiles that are drawn, as they are shown. */
interface Shown {
  readonly drawn: readonly Drawn[];
  readonly style: StyleTables;
}

/** An open overlay, by a number that the page gives it. */
interface Of {
  readonly overlay: number;
  /** Null: it has shapes. */
  readonly raster: RasterInfo | null;
}

export interface Requests {
  tile: Of & {
    readonly key: string;
    /** Its address, or its gzip member where the page has fetched it. */
    readonly from: string | Uint8Array<ArrayBuffer>;
    readonly scored: boolean;
    /** Whether its counts are answered as well. */
    readonly counts: boolean;
  };
  forget: { readonly overlay: number; readonly key: string };
  paint: Of & { readonly scene: Scene };
  /** A point and how far it may be missed, in pixels of the tiles: of level 0, or of the raster. */
  hit: Shown & Of & { readonly at: readonly [number, number]; readonly reach: number };
  sums: Shown & { readonly overlay: number; readonly ring: Ring };
  histogram: Shown & Of;
  next: Shown & {
    readonly overlay: number;
    readonly box: Box;
    readonly from: Pick<ShapeHit, "score" | "middle"> | null;
    readonly by: 1 | -1;
  };
  close: { readonly overlay: number };
  painter: { readonly choice: PainterChoice };
}

export interface Answers {
  /** Null: it could not be fetched. */
  tile: (Loaded & { readonly counts: readonly ClassCounts[] | null }) | null;
  forget: null;
  paint: { readonly bitmap: ImageBitmap; readonly painter: "webgl" | "canvas"; readonly milliseconds: number };
  hit: Hit | null;
  sums: RegionSums;
  histogram: Uint32Array | null;
  next: ShapeHit | null;
  close: null;
  painter: null;
}

export type Kind = keyof Requests;
/** `cancel` has the number of the request that is not needed any more: that may be done all the same, and is answered either way. */
export type ToWorker =
  | { [K in Kind]: { readonly id: number; readonly kind: K } & Requests[K] }[Kind]
  | { readonly id: number; readonly kind: "cancel" };
export type FromWorker =
  | { readonly id: number; readonly answer: Answers[Kind] }
  | { readonly id: number; readonly failure: string; readonly cancelled: boolean };
