/** Where a slide's scale is from, and entering one for a slide whose file states none (wire/catalog.md, WI80). */
import { part, sendJson } from "../http/api";
import { type Json, asObject, numberOf, textOrNull } from "../http/shape";

/** A line on the slide, in level-0 pixels, and its known length. */
export interface KnownLine {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly length_um: number;
}

export interface ScaleOrigin {
  readonly origin: "file" | "entered";
  readonly by: string | null;
  readonly at: string | null;
  /** What it was taken from, unless the value itself was entered. */
  readonly line: KnownLine | null;
}

/** The value itself, or what it is taken from. */
export type Calibration = { readonly um_per_pixel: number } | { readonly line: KnownLine };

/** Null where no scale is known, or the service does not say where it is from. */
export function parseScale(value: unknown): ScaleOrigin | null {
  if (value === null || value === undefined) return null;
  const from = asObject(value, "scale");
  const origin = from.origin === "entered" ? "entered" : "file";
  return {
    origin,
    by: textOrNull(from, "by"),
    at: textOrNull(from, "at"),
    line: from.line ? lineOf(asObject(from.line, "line")) : null,
  };
}

function lineOf(from: Json): KnownLine {
  const [x0, y0, x1, y1, length_um] = ["x0", "y0", "x1", "y1", "length_um"].map((name) => numberOf(from, name));
  return { x0, y0, x1, y1, length_um };
}

/** What the slide's scale was, to be entered again. */
export function calibrationOf(scale: ScaleOrigin | null, um_per_pixel: number | null): Calibration | null {
  if (scale?.origin !== "entered" || um_per_pixel === null) return null;
  return scale.line ? { line: scale.line } : { um_per_pixel };
}

/** Enters a scale, or (null) takes an entered one away. Answers the slide as it is then, as the service sends it. */
export function sendCalibration(id: string, calibration: Calibration | null): Promise<unknown> {
  const path = `/slides/${part(id)}/calibration`;
  return calibration ? sendJson("PUT", path, calibration) : sendJson("DELETE", path);
}
