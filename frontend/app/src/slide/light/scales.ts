/** Sliders from -100 to 100, 0 in the middle, and the quantities they stand for. Pure. */
import { decimal, withUnit } from "@wavescope/core/geometry/figures";
import { LIMITS, type Quantity } from "@wavescope/viewer/light/adjustments";

const END = 100;

/** Brightness by equal steps; the others by equal factors below 1 and above it, since they multiply. */
export function fromSlider(quantity: Quantity, position: number): number {
  const [least, most] = LIMITS[quantity];
  const part = position / END;
  if (quantity === "brightness") return round(part * most);
  if (part >= 0) return round(most ** part);
  return round(least > 0 ? least ** -part : 1 + part);
}

export function toSlider(quantity: Quantity, value: number): number {
  const [least, most] = LIMITS[quantity];
  if (quantity === "brightness") return Math.round((END * value) / most);
  if (value >= 1) return Math.round((END * Math.log(value)) / Math.log(most));
  return Math.round(-END * (least > 0 ? Math.log(value) / Math.log(least) : 1 - value));
}

export function labelOf(quantity: Quantity, value: number): string {
  if (quantity === "gamma") return decimal(value.toFixed(2));
  if (quantity === "brightness") return withUnit(`${value > 0 ? "+" : ""}${Math.round(100 * value)}`, "%");
  return withUnit(Math.round(100 * value), "%");
}

function round(value: number): number {
  return Math.round(1000 * value) / 1000;
}
