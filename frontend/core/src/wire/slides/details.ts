/** What the information panel shows of a slide: stored bytes, measured quality, provenance (store.md, ST3, ST60, ST66). */
import type * as Wire from "../generated/types";

/** PSNR that stands for "no pixel differs" (ST60). */
export const EXACT_PSNR = 99;

/** `[level][layer]`; null: not measured. */
type Table = readonly (readonly (number | null)[])[];

export interface SlideDetails {
  /** Stored bytes, `[level][layer]`; the last level is the approximation. */
  readonly bytes: readonly (readonly number[])[];
  /** Measured at ingest; null for slides of older ingests. */
  readonly quality: {
    readonly tiles: number;
    readonly psnr: Table;
    /** Of channels, in standard deviations of their noise. */
    readonly sigma?: Table | null;
  } | null;
  /** How the image quality was chosen; null for slides of older ingests. */
  readonly chosen: {
    /** A preset, or a PSNR such as "40dB". */
    readonly quality: string;
    readonly reason: string;
    readonly measure: string;
    /** Of the measure, on the sample. */
    readonly score: number;
    /** Of the table's steps; of channels the largest steps in deviations of noise; null: lossless. */
    readonly factor: number | null;
    /** How many stored versions it was encoded from, one after another. */
    readonly reencoded: number;
  } | null;
  /** Which samples of the source became 0 and 255; null: it has 8 bits, or the slide is of an older ingest. */
  readonly window: Readonly<Wire.WindowView> | null;
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
  const { source, chosen } = manifest ?? {};
  return {
    bytes: manifest?.bytes ?? [],
    quality: manifest?.quality ?? null,
    chosen: chosen
      ? {
          quality: chosen.quality,
          reason: chosen.reason,
          measure: chosen.measure,
          score: chosen.score,
          factor: chosen.factor,
          reencoded: chosen.reencoded.length,
        }
      : null,
    window: manifest?.window ?? null,
    source: {
      name: source?.name ?? null,
      format: source?.format ?? null,
      bytes: source?.bytes || null,
      tileBytes: source?.tile_bytes ?? null,
      fingerprint: source?.fingerprint ?? null,
    },
  };
}

/** Of channels, the error of a level with all layers in standard deviations of their noise; null: a picture, or not measured. */
export function storedSigma({ quality }: Pick<SlideDetails, "quality">, level = 0): number | null {
  return quality?.sigma?.[level]?.at(-1) ?? null;
}

/** PSNR in dB of the finest level with all layers; EXACT_PSNR: no pixel differs; null: not measured. */
export function storedPsnr({ quality }: Pick<SlideDetails, "quality">): number | null {
  return quality?.psnr[0]?.at(-1) ?? null;
}
