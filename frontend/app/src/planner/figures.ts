/** Numbers of the planner as people read them. */
import { decimal, groupedNumber, withUnit } from "@wavescope/core/geometry/figures";
import { LOCALE } from "@wavescope/core/i18n/locale";

export const CURRENCIES = ["EUR", "USD", "GBP", "CHF", "SEK", "JPY", "CNY", "INR", "AUD", "CAD", "BRL"];

/** `€1,234`, without smaller coins. */
export function priceLabel(price: number, currency: string): string {
  return new Intl.NumberFormat(LOCALE, { style: "currency", currency, maximumFractionDigits: 0 }).format(price);
}

export function secondsLabel(seconds: number): string {
  if (seconds < 0.0995) return withUnit(decimal((seconds * 1000).toPrecision(2)), "ms");
  if (seconds < 0.9995) return withUnit(Math.round(seconds * 1000), "ms");
  return withUnit(seconds < 99.5 ? decimal(seconds.toPrecision(3)) : groupedNumber(Math.round(seconds)), "s");
}

export function percentLabel(share: number): string {
  return share > 0 && share < 0.0095 ? withUnit("< 1", "%") : withUnit(Math.round(share * 100), "%");
}

export function countLabel(value: number): string {
  return value >= 10 ? groupedNumber(Math.round(value)) : decimal(Number(value.toPrecision(2)));
}

/** At most three significant digits, for values that a slider sets. */
export function rounded(value: number): number {
  return Number(value.toPrecision(value >= 100 ? 3 : 2));
}

/** Some values of an axis: round ones, at most about `most` of them. */
export function ticks(high: number, most = 5): number[] {
  const raw = high / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw) ?? power;
  const found: number[] = [];
  for (let at = 0; at <= high * 1.0001; at += step) found.push(Number(at.toPrecision(6)));
  return found;
}

/** Inside a logarithmic axis: powers of ten, and twice and five times these if there is space. */
export function logTicks(low: number, high: number, wide = true): number[] {
  const found: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
    found.push(
      ...(wide ? [1, 2, 5] : [1])
        .map((factor) => factor * power)
        .filter((at) => at >= low * 0.9999 && at <= high * 1.0001),
    );
  return found;
}
