/** The page of views: what is on it, and how it lies on sheets of paper. Pure. */
import type { PicturePart } from "@wavescope/viewer/view/pictureParts";

/** A view of a slide as it was added, and the way back to it. */
export interface ViewItem {
  readonly kind: "view";
  readonly id: string;
  readonly slide: string;
  /** The page of the slide at this view, from the root of the site. */
  readonly link: string;
  readonly caption: string;
  readonly picture: Blob;
  /** What the picture is made of: the viewer in device pixels, and what is drawn beside the slide. Items of before do not say it. */
  readonly shape?: { readonly width: number; readonly height: number; readonly parts: readonly PicturePart[] };
}

/** A table as it was when it was added: the result of a count, or measurements. */
export interface CountItem {
  readonly kind: "count";
  readonly id: string;
  readonly slide: string;
  readonly link: string;
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Below the table: index, area, what to know. */
  readonly notes: readonly string[];
}

/** What the author of the page writes between the others. */
export interface TextItem {
  readonly kind: "text";
  readonly id: string;
  readonly caption: string;
  readonly text: string;
}

export type Item = ViewItem | CountItem | TextItem;

export const PAPERS = ["a4", "letter"] as const;
export const DIRECTIONS = ["portrait", "landscape"] as const;
/** Views on a sheet. */
export const PER_SHEET = [1, 2, 4, 6] as const;

export interface Layout {
  readonly title: string;
  readonly paper: (typeof PAPERS)[number];
  readonly direction: (typeof DIRECTIONS)[number];
  readonly perSheet: (typeof PER_SHEET)[number];
}

export const FIRST_LAYOUT: Layout = { title: "", paper: "a4", direction: "portrait", perSheet: 4 };
export const MAX_ITEMS = 60;
/** Characters of a text on the page. */
export const MAX_TEXT = 3000;

/** Columns and rows of a sheet: the longer side has more. */
export function gridOf({ perSheet, direction }: Layout): { readonly columns: number; readonly rows: number } {
  const [more, less] = { 1: [1, 1], 2: [2, 1], 4: [2, 2], 6: [3, 2] }[perSheet] as [number, number];
  return direction === "portrait" ? { columns: less, rows: more } : { columns: more, rows: less };
}

const FEW_ROWS = 12; // of a table, or lines of a text
const FEW_CHARACTERS = 600;

/** Whether an item is too long for a place beside others: a sheet is its own. */
export function needsSheet(item: Item): boolean {
  if (item.kind === "count") return item.rows.length + item.notes.length > FEW_ROWS;
  return item.kind === "text" && (item.text.length > FEW_CHARACTERS || item.text.split("\n").length > FEW_ROWS);
}

/** The items on sheets, in their order; a table or text takes a place as a view does, unless it is `alone` on a sheet. */
export function sheetsOf<T>(
  items: readonly T[],
  perSheet: number,
  alone: (item: T) => boolean = () => false,
): (readonly T[])[] {
  const sheets: T[][] = [];
  let open: T[] | null = null;
  for (const item of items) {
    if (open && open.length < perSheet && !alone(item)) open.push(item);
    else sheets.push((open = [item]));
    if (alone(item)) open = null;
  }
  return sheets;
}

/** The items with one moved by a step, as far as there is a place. */
export function moved<T extends { readonly id: string }>(items: readonly T[], id: string, step: 1 | -1): readonly T[] {
  const from = items.findIndex((item) => item.id === id);
  const to = from + step;
  if (from < 0 || to < 0 || to >= items.length) return items;
  const result = [...items];
  [result[from], result[to]] = [result[to]!, result[from]!];
  return result;
}

/** What a browser has stored; what is not known is as at first. */
export function layoutOf(value: unknown): Layout {
  const { title, paper, direction, perSheet } = (value ?? {}) as Partial<Record<keyof Layout, unknown>>;
  return {
    title: typeof title === "string" ? title : FIRST_LAYOUT.title,
    paper: PAPERS.find((one) => one === paper) ?? FIRST_LAYOUT.paper,
    direction: DIRECTIONS.find((one) => one === direction) ?? FIRST_LAYOUT.direction,
    perSheet: PER_SHEET.find((one) => one === perSheet) ?? FIRST_LAYOUT.perSheet,
  };
}
