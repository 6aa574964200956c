/** What one types to go somewhere: `12000, 8000`, `12000 8000 px`, `3000 2000 um`, `1.5 mm, 2 mm`, `20x`, or both. Pure. */

import { MARK } from "@wavescope/core/geometry/figures";

export interface Destination {
  /** Level-0 pixels; null: stay here. */
  readonly centre: { readonly l0_x: number; readonly l0_y: number } | null;
  /** Device pixels per level-0 pixel; null: as it is. */
  readonly scale: number | null;
}

export interface Ruler {
  /** Micrometres per level-0 pixel; null where it is not known. */
  readonly mpp: { readonly x: number; readonly y: number } | null;
  /** Magnification at 1:1; null where it is not known. */
  readonly own: number | null;
}

/** In German a comma is a decimal mark where both coordinates stay: `1,5 mm; 2 mm`, but also `12000, 8000`. */
const DIGITS = String.raw`\d+(?:[.${MARK}]\d+)?`;
const NUMBER = `(-?${DIGITS})`;
const UNIT = String.raw`\s*(px|um|µm|μm|mm)?`;
const COORDINATES = new RegExp(
  String.raw`^(?:x\s*[=:]?\s*)?${NUMBER}${UNIT}\s*[,;\s]\s*(?:y\s*[=:]?\s*)?${NUMBER}${UNIT}$`,
  "i",
);
const MAGNIFICATION = new RegExp(String.raw`(?:^|\s)(${DIGITS})\s*[x×](?=\s|$)`, "i");
const RATIO = new RegExp(String.raw`(?:^|\s)1:(${DIGITS})(?=\s|$)`);

/** Null when it cannot be understood, or asks for what is not known of this slide. */
export function parseDestination(text: string, { mpp, own }: Ruler): Destination | null {
  let rest = text.trim();
  let scale: number | null = null;
  const magnification = MAGNIFICATION.exec(rest);
  const ratio = RATIO.exec(rest);
  if (magnification) {
    if (own === null) return null;
    scale = numberOf(magnification[1]!) / own;
    rest = rest.replace(magnification[0], "");
  } else if (ratio) {
    scale = 1 / numberOf(ratio[1]!);
    rest = rest.replace(ratio[0], "");
  }
  if (scale !== null && !(scale > 0 && Number.isFinite(scale))) return null;
  rest = rest.replace(/^[\s,;@]+|[\s,;@]+$/g, "");
  if (rest === "") return scale === null ? null : { centre: null, scale };
  const found = COORDINATES.exec(rest);
  if (!found) return null;
  const [, x, x_unit, y, y_unit] = found;
  const l0_x = pixels(numberOf(x!), x_unit ?? y_unit, mpp?.x ?? null);
  const l0_y = pixels(numberOf(y!), y_unit ?? x_unit, mpp?.y ?? null);
  return l0_x === null || l0_y === null ? null : { centre: { l0_x, l0_y }, scale };
}

const numberOf = (digits: string): number => Number(digits.replace(",", "."));

function pixels(value: number, unit: string | undefined, mpp: number | null): number | null {
  const name = unit?.toLowerCase() ?? "px";
  if (name === "px") return value;
  if (mpp === null) return null;
  return (name === "mm" ? 1000 * value : value) / mpp;
}
