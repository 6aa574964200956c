import { describe, expect, it } from "vitest";
import {
  addBookmark,
  bookmarksText,
  deleteBookmark,
  importBookmarks,
  openBookmarks,
  renameBookmark,
} from "./bookmarks";

function memory() {
  const stored = new Map<string, string>();
  return {
    stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}

const A = "#x=10&y=20&scale=0.5";
const B = "#x=30&y=40&scale=1&rotation=90";
const names = (store: ReturnType<typeof openBookmarks>): string[] => store.getState().map((one) => one.name);

describe("bookmarks", () => {
  it("are stored per slide", () => {
    const storage = memory();
    addBookmark(openBookmarks("one", storage), " Mitosis ", A, null);
    expect(names(openBookmarks("one", storage))).toEqual(["Mitosis"]);
    expect(names(openBookmarks("two", storage))).toEqual([]);
  });

  it("are renamed, never to nothing, and get a name where none is given", () => {
    const store = openBookmarks("one", null);
    const { id } = addBookmark(store, "", A, null);
    expect(names(store)).toEqual(["Bookmark 1"]);
    renameBookmark(store, id, "  ");
    renameBookmark(store, id, "Margin");
    expect(names(store)).toEqual(["Margin"]);
  });

  it("come back to their place when a deletion is undone", () => {
    const store = openBookmarks("one", memory());
    const [, middle] = ["a", "b", "c"].map((name) => addBookmark(store, name, A, null));
    const undo = deleteBookmark(store, middle!.id);
    expect(names(store)).toEqual(["a", "c"]);
    undo();
    undo();
    expect(names(store)).toEqual(["a", "b", "c"]);
  });

  it("travel in a link, once", () => {
    const store = openBookmarks("one", null);
    addBookmark(store, "50 % & more", A, "data:image/jpeg;base64,x");
    addBookmark(store, "b", B, null);
    const link = `${A}&${bookmarksText(store.getState())}`;
    const other = openBookmarks("one", null);
    expect(importBookmarks(other, link)).toBe(2);
    expect(importBookmarks(other, link)).toBe(0);
    expect(other.getState().map(({ name, place, picture }) => [name, place, picture])).toEqual([
      ["50 % & more", A, null],
      ["b", B, null],
    ]);
  });

  it.each([
    "#",
    "#bookmarks=",
    "#bookmarks=%7B",
    "#bookmarks=[1]",
    '#bookmarks=[["a"]]',
    '#bookmarks=[["a","nowhere"]]',
  ])("are not in %s", (hash) => {
    expect(importBookmarks(openBookmarks("one", null), hash)).toBe(0);
  });

  it("survive corrupt storage", () => {
    for (const text of [
      "",
      "{",
      "3",
      '[{"id":1}]',
      '[{"id":"a","name":"n","place":"#x=1&y=1&scale=1","picture":"javascript:1"}]',
    ]) {
      const storage = memory();
      storage.setItem("wavescope.bookmarks.one", text);
      expect(names(openBookmarks("one", storage))).toEqual([]);
    }
  });
});
