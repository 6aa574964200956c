/** Numbers as people read them, in the locale of the page. */
import { LOCALE } from "../i18n/locale";

const GROUPED = new Intl.NumberFormat(LOCALE);
/** The decimal mark of the page. */
export const MARK = GROUPED.format(1.5)[1]!;

/** `17,408` */
export function groupedNumber(value: number): string {
  return GROUPED.format(value);
}

/** A number with its decimal mark, its digits as they are: `0.25` is `0,25` in German. */
export function decimal(figure: number | string): string {
  return String(figure).replace(".", MARK);
}

/** `17 mm`: both stay in one line, and in this order where the page is written from right to left. */
export function withUnit(figure: number | string, unit: string): string {
  const text = `${figure}\u202f${unit}`;
  return globalThis.document?.dir === "rtl" ? `\u2066${text}\u2069` : text;
}
