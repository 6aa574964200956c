/** A page of views as a link: everything on it but its pictures, which are made again (PG75). Pure. */
import { PICTURE_PARTS } from "@wavescope/viewer/view/pictureParts";
import {
  type CountItem,
  type Item,
  type Layout,
  MAX_ITEMS,
  MAX_TEXT,
  type TextItem,
  type ViewItem,
  layoutOf,
} from "./sheets";

/** An item without what is made anew: its id, the title of its slide, its picture. */
export type Planned =
  | Omit<ViewItem, "id" | "slide" | "picture">
  | Omit<CountItem, "id" | "slide">
  | Omit<TextItem, "id">;

export interface PlannedPage {
  readonly layout: Layout;
  readonly items: readonly Planned[];
}

const NAME = "page";
/** Of the picture of a view that does not say it, in device pixels, and the largest that is made. */
const FIRST_SIZE = { width: 1200, height: 900 };
const LARGEST_SIDE = 8192;

/** The part of the link from `#` on. */
export function pageHash({ items, layout }: { readonly items: readonly Item[]; readonly layout: Layout }): string {
  const planned = items.map((item): Planned => {
    if (item.kind === "view") {
      const { kind, link, caption, shape } = item;
      return { kind, link, caption, shape };
    }
    if (item.kind === "text") return { kind: item.kind, caption: item.caption, text: item.text };
    const { kind, link, caption, head, rows, notes } = item;
    return { kind, link, caption, head, rows, notes };
  });
  return `#${NAME}=${encodeURIComponent(JSON.stringify({ layout, items: planned }))}`;
}

/** The page in a link; null where there is none. What makes no sense is left out. */
export function pageOf(hash: string): PlannedPage | null {
  const text = new URLSearchParams(hash.replace(/^#/, "")).get(NAME);
  const page = text === null ? null : read(text);
  if (!Array.isArray(page?.items)) return null;
  const items = page.items.slice(0, MAX_ITEMS).map(plannedOf);
  return { layout: layoutOf(page.layout), items: items.filter((item) => item !== null) };
}

type Unknown<T> = { readonly [Key in keyof T]?: unknown };

function read(text: string): Unknown<PlannedPage> | null {
  try {
    return JSON.parse(text) as Unknown<PlannedPage> | null;
  } catch {
    return null;
  }
}

function plannedOf(value: unknown): Planned | null {
  const { kind, link, caption, text, shape, head, rows, notes } = (value ?? {}) as Unknown<
    Omit<ViewItem, "kind"> & Omit<TextItem, "kind"> & CountItem
  >;
  if (typeof caption !== "string") return null;
  if (kind === "text") return typeof text === "string" ? { kind, caption, text: text.slice(0, MAX_TEXT) } : null;
  if (typeof link !== "string" || !link.startsWith("/slides/")) return null;
  if (kind === "view") return { kind, link, caption, shape: shapeOf(shape) };
  const isTable = kind === "count" && isLine(head) && Array.isArray(rows) && rows.every(isLine) && isLine(notes);
  return isTable ? { kind, link, caption, head, rows, notes } : null;
}

function shapeOf(value: unknown): NonNullable<ViewItem["shape"]> {
  const { width, height, parts } = (value ?? {}) as Unknown<NonNullable<ViewItem["shape"]>>;
  const known = isSide(width) && isSide(height) ? { width, height } : FIRST_SIZE;
  const drawn = Array.isArray(parts) ? PICTURE_PARTS.filter((part) => parts.includes(part)) : PICTURE_PARTS;
  return { ...known, parts: drawn };
}

const isSide = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value <= LARGEST_SIDE;

const isLine = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((part) => typeof part === "string");
