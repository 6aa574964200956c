/** Which rows of a long list are on the screen, and which pages of the service they are of: pure. */

/** Pixels of the page as it is laid out. */
export interface Layout {
  readonly columns: number;
  /** Height of a row with the gap below it. */
  readonly row: number;
  readonly gap: number;
}

/** Slides from `first` up to, not including, `end`. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

/** Lengths of the list, in CSS pixels. */
export interface Lengths {
  /** The least width of a card. */
  readonly card: number;
  readonly gap: number;
  /** Height of what a card says below its picture, its borders included. */
  readonly text: number;
  /** Height of a row of the list without pictures. */
  readonly row: number;
}

const MARGIN = 600; // pixels above and below the screen that are drawn too
/** A list of so many slides is drawn whole: the browser's own search and a screen reader find all of it. */
const SHORT = 60;

export function layoutOf(width: number, list: boolean, { card, gap, text, row }: Lengths): Layout {
  if (list) return { columns: 1, row, gap: 0 };
  const columns = Math.max(1, Math.floor((width + gap) / (card + gap)));
  const across = (width - gap * (columns - 1)) / columns;
  return { columns, row: Math.round((across * 3) / 4) + text + gap, gap };
}

/** What lies between `top` and `bottom`, pixels from the beginning of the list, and a margin around it; all of a short list. */
export function visible({ columns, row }: Layout, total: number, top: number, bottom: number): Range {
  if (total <= SHORT) return { first: 0, end: total };
  const rows = Math.ceil(total / columns);
  const first = Math.min(Math.max(0, Math.floor((top - MARGIN) / row)), Math.max(0, rows - 1));
  const end = Math.min(rows, Math.max(first + 1, Math.ceil((bottom + MARGIN) / row)));
  return { first: first * columns, end: Math.min(total, end * columns) };
}

/** Numbers of the pages, from 1, that these slides are on. */
export function pagesOf({ first, end }: Range, page: number): readonly number[] {
  const from = Math.floor(first / page);
  const to = Math.max(from, Math.ceil(end / page) - 1);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i + 1);
}

/** Where a key leads from the slide at `index`; null: it is no key of the list. `toRight`: how many slides on the one at the right is, 1 or -1. */
export function stepTo(key: string, index: number, total: number, columns: number, toRight = 1): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: index - toRight,
    ArrowRight: index + toRight,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: total - 1,
  };
  const to = steps[key];
  if (to === undefined) return null;
  return to < 0 || to >= total ? index : to;
}
