/** What the information panel tells of a slide: stored bytes, measured quality, provenance (store.md, ST3, ST60). */
import { ShapeError } from "../http/errors";
import { type Json, asArray, asObject, numberOrNull, textOrNull, whole } from "../http/shape";

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

export function parseDetails(from: Json): SlideDetails {
  const source = asObject(from.source ?? {}, "source");
  return {
    bytes: Array.isArray(from.bytes) ? from.bytes.map((level) => asArray(level, "bytes").map(asWhole)) : [],
    quality:
      from.quality === undefined || from.quality === null ? null : parseQuality(asObject(from.quality, "quality")),
    source: {
      name: textOrNull(source, "name"),
      format: textOrNull(source, "format"),
      bytes: numberOrNull(source, "bytes") || null,
      tileBytes: numberOrNull(source, "tile_bytes"),
      fingerprint: textOrNull(source, "fingerprint"),
    },
  };
}

function parseQuality(from: Json): SlideDetails["quality"] {
  const psnr = asArray(from.psnr, "psnr").map((level) =>
    asArray(level, "psnr").map((value) => (value === null ? null : asNumber(value))),
  );
  return { tiles: whole(from, "tiles"), psnr };
}

function asWhole(value: unknown): number {
  const number = asNumber(value);
  if (!Number.isInteger(number) || number < 0) throw new ShapeError(`${number} is no number of bytes`);
  return number;
}

function asNumber(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new ShapeError(`${String(value)} is not a number`);
  return value;
}
