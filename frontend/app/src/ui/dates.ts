/** Dates and times as people read them, in the locale of the page. Nothing else formats one: a lint rule says so. */
import { LOCALE } from "@wavescope/core/i18n/locale";

export type DateDetail = "day" | "minute" | "second" | "clock";

const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", year: "numeric" };
const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
const OPTIONS: Readonly<Record<DateDetail, Intl.DateTimeFormatOptions>> = {
  day: DAY,
  minute: { ...DAY, ...CLOCK },
  second: { ...DAY, ...CLOCK, second: "2-digit" },
  clock: CLOCK,
};
const formats = new Map<string, Intl.DateTimeFormat>();

/** `22 Nov 2026, 14:05`; `time` as RFC 3339 or in milliseconds since 1970, `locale` the page's if it is left out. */
export function dateLabel(time: string | number, detail: DateDetail = "minute", locale: string = LOCALE): string {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? String(time) : formatOf(detail, locale).format(moment);
}

function formatOf(detail: DateDetail, locale: string): Intl.DateTimeFormat {
  const key = `${detail} ${locale}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, OPTIONS[detail]);
  formats.set(key, format);
  return format;
}
