/** Numbers as people read them, in the locale of the page. */
import { LANGUAGE, LOCALE } from "../i18n/locale";

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

/** A figure such as `20×` keeps its order where the page is written from right to left. */
export function inOrder(figure: string): string {
  return globalThis.document?.dir === "rtl" ? `\u2066${figure}\u2069` : figure;
}

/** `17 mm`: both stay in one line. English writes `42%`. */
export function withUnit(figure: number | string, unit: string): string {
  return inOrder(`${figure}${unit === "%" && LANGUAGE === "en" ? "" : "\u202f"}${unit}`);
}
