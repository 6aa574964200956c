/** Numbers as people read them. */
import { LOCALE } from "../i18n/locale";

const GROUPED = new Intl.NumberFormat(LOCALE);

/** `17,408` */
export function groupedNumber(value: number): string {
  return GROUPED.format(value);
}
