/**
 * Named views of a slide, stored in this browser (never by the service), and their text in a link. State without React.
 * A view is stored as the text of a link (viewLink.ts): it stays readable when view links get new fields.
 */
import { createStore } from "zustand/vanilla";
import { newId } from "../core/newId";
import { parseViewLink } from "../core/viewLink";
import { t } from "@wavescope/core/i18n/i18n";

export interface Bookmark {
  readonly id: string;
  readonly name: string;
  /** `#x=...` */
  readonly place: string;
  /** A small picture as a data URL; null for one that came with a link. */
  readonly picture: string | null;
}

export type BookmarkStore = ReturnType<typeof openBookmarks>;
type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

const MAX_BOOKMARKS = 200;
const LONGEST_NAME = 120;

/** The bookmarks of a slide, read from and written to `storage`. */
export function openBookmarks(slide: string, storage: Storage | null) {
  const key = `wavescope.bookmarks.${slide}`;
  const store = createStore<readonly Bookmark[]>(() => parseBookmarks(storage?.getItem(key) ?? null));
  store.subscribe((bookmarks) => {
    try {
      storage?.setItem(key, JSON.stringify(bookmarks));
    } catch {
      return; // the storage is full or forbidden: they live as long as the page
    }
  });
  return store;
}

export function addBookmark(store: BookmarkStore, name: string, place: string, picture: string | null): Bookmark {
  const bookmark = {
    id: newId(),
    name: tidy(name) || t("navigation.bookmark", { number: store.getState().length + 1 }),
    place,
    picture,
  };
  store.setState([...store.getState(), bookmark].slice(-MAX_BOOKMARKS), true);
  return bookmark;
}

export function renameBookmark(store: BookmarkStore, id: string, name: string): void {
  if (!tidy(name)) return;
  store.setState(
    store.getState().map((bookmark) => (bookmark.id === id ? { ...bookmark, name: tidy(name) } : bookmark)),
    true,
  );
}

/** Gives a function that puts it back where it was. */
export function deleteBookmark(store: BookmarkStore, id: string): () => void {
  const index = store.getState().findIndex((bookmark) => bookmark.id === id);
  const gone = store.getState()[index];
  store.setState(
    store.getState().filter((bookmark) => bookmark.id !== id),
    true,
  );
  return () => {
    if (gone && !store.getState().some((bookmark) => bookmark.id === id))
      store.setState(store.getState().toSpliced(index, 0, gone), true);
  };
}

/** The bookmarks as a part of a link's hash: names and views, without pictures. */
export function bookmarksText(bookmarks: readonly Bookmark[]): string {
  return `bookmarks=${encodeURIComponent(JSON.stringify(bookmarks.map(({ name, place }) => [name, place])))}`;
}

/** Adds the bookmarks of a link; existing ones (same name and view) are not duplicated. Returns how many are new. */
export function importBookmarks(store: BookmarkStore, hash: string): number {
  const text = new URLSearchParams(hash.replace(/^#/, "")).get("bookmarks");
  if (text === null) return 0;
  const known = new Set(store.getState().map(({ name, place }) => `${name}\n${place}`));
  const fresh = pairsOf(text).filter(
    ([name, place]) => parseViewLink(place) !== null && !known.has(`${tidy(name)}\n${place}`),
  );
  for (const [name, place] of fresh.slice(0, MAX_BOOKMARKS)) addBookmark(store, name, place, null);
  return Math.min(fresh.length, MAX_BOOKMARKS);
}

function pairsOf(text: string): [string, string][] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [];
  return value.filter(
    (entry): entry is [string, string] =>
      Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "string",
  );
}

function parseBookmarks(text: string | null): readonly Bookmark[] {
  const value = text === null ? null : parseJson(text);
  return Array.isArray(value) ? value.filter(isBookmark) : [];
}

function isBookmark(value: unknown): value is Bookmark {
  if (typeof value !== "object" || value === null) return false;
  const { id, name, place, picture } = value as Record<string, unknown>;
  const pictured = picture === null || (typeof picture === "string" && picture.startsWith("data:image/"));
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    typeof place === "string" &&
    parseViewLink(place) !== null &&
    pictured
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function tidy(name: string): string {
  return name.trim().slice(0, LONGEST_NAME);
}
