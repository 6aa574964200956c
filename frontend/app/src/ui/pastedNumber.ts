import { MARK } from "@wavescope/core/geometry/figures";

const NUMBER = /^[-+]?[\d.,'\s]*\d$/;
/** Thousands, as a language groups them: `17,408`. */
const GROUPED = /^[-+]?[1-9]\d{0,2}([.,]\d{3})+$/;

/**
 * A number from elsewhere with the decimal mark of this page: `0.25` and `1,200.5` are `0,25` and `1200,5` in German. A single point or comma
 * is a decimal mark, unless it is none here and groups thousands: `1.200`. Null: it is no number.
 */
export function pastedNumber(text: string, mark = MARK): string | null {
  const written = text.trim();
  if (!NUMBER.test(written)) return null;
  const figure = written.replace(/[\s']/g, "");
  const marks = figure.replace(/[^.,]/g, "");
  const last = marks.at(-1);
  const once = last !== undefined && !marks.slice(0, -1).includes(last);
  const grouped = !once || (marks.length === 1 && last !== mark && GROUPED.test(figure));
  const at = grouped ? figure.length : figure.lastIndexOf(last);
  const digits = (part: string): string => part.replace(/[.,]/g, "");
  return digits(figure.slice(0, at)) + (grouped ? "" : mark) + digits(figure.slice(at));
}
