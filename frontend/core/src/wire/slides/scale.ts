/** Where a slide's scale is from, and entering one for a slide whose file states none (wire/catalog.md, WI80). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";
import { type Manifest, manifestOf } from "./manifest";

/** A line on the slide, in level-0 pixels, and its known length. */
export type KnownLine = Fixed<Wire.LineView>;
export type ScaleOrigin = Fixed<Wire.ScaleView>;

/** The value itself, or what it is taken from. */
export type Calibration = { readonly um_per_pixel: number } | { readonly line: KnownLine };

/** What the slide's scale was, to be entered again. */
export function calibrationOf(scale: ScaleOrigin | null, um_per_pixel: number | null): Calibration | null {
  if (scale?.origin !== "entered" || um_per_pixel === null) return null;
  return scale.line ? { line: scale.line } : { um_per_pixel };
}

/** Enters a scale, or (null) removes an entered one. Gives the slide as it is then. */
export async function sendCalibration(id: string, calibration: Calibration | null): Promise<Manifest> {
  const path = { slide_id: id };
  return manifestOf(
    calibration
      ? await call("PUT /slides/{slide_id}/calibration", { path, body: calibration })
      : await call("DELETE /slides/{slide_id}/calibration", { path }),
  );
}
