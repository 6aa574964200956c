/** What the information panel tells of a slide: stored bytes, measured quality, provenance (store.md, ST3, ST60). */
import type * as Wire from "../generated/types";

/** PSNR that stands for "no pixel differs" (ST60). */
export const EXACT_PSNR = 99;

export interface SlideDetails {
  /** Stored bytes, `[level][layer]`; the last level is the approximation. */
  readonly bytes: readonly (readonly number[])[];
  /** Measured at ingest; null for slides of older ingests. */
  readonly quality: { readonly tiles: number; readonly psnr: readonly (readonly (number | null)[])[] } | null;
  readonly source: {
    readonly name: string | null;
    readonly format: string | null;
    /** On disk; null where there was no file. */
    readonly bytes: number | null;
    /** Of the source's own tiles; null where it has none. */
    readonly tileBytes: number | null;
    readonly fingerprint: string | null;
  };
}

/** `manifest` null: of a slide that is still being imported. */
export function detailsOf(manifest: Wire.ManifestView | null): SlideDetails {
  const source = manifest?.source;
  return {
    bytes: manifest?.bytes ?? [],
    quality: manifest?.quality ?? null,
    source: {
      name: source?.name ?? null,
      format: source?.format ?? null,
      bytes: source?.bytes || null,
      tileBytes: source?.tile_bytes ?? null,
      fingerprint: source?.fingerprint ?? null,
    },
  };
}
