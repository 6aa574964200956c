/** Numbers as people read them. */

const GROUPED = new Intl.NumberFormat("en");

/** `17,408` */
export function groupedNumber(value: number): string {
  return GROUPED.format(value);
}
