/** Numbers as people read them. */
import { decimal, groupedNumber, withUnit } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";

const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function bytesLabel(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const figure = unit === 0 || value >= 99.5 ? Math.round(value) : decimal(value.toPrecision(value >= 9.95 ? 3 : 2));
  return withUnit(figure, UNITS[unit]!);
}

export function sizeLabel(width: number, height: number): string {
  return withUnit(`${groupedNumber(width)} × ${groupedNumber(height)}`, "px");
}

export function durationLabel(seconds: number): string {
  if (seconds < 1) return t("ui.lessThanSecond");
  if (seconds < 90) return t("ui.seconds", { count: Math.round(seconds) });
  if (seconds < 5400) return t("ui.minutes", { count: Math.round(seconds / 60) });
  return t("ui.hours", { hours: decimal((seconds / 3600).toFixed(1)) });
}

/** A whole percent, and neither 0 nor 100 before it is. */
export function percentLabel(part: number): string {
  if (part > 0 && part < 0.01) return withUnit("<1", "%");
  return withUnit(Math.floor(100 * part), "%");
}
