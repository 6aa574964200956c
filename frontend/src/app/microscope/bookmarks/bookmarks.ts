/** The open slide's bookmarks: one store per slide, shared by all callers. */
import {
  type Bookmark,
  type BookmarkStore,
  addBookmark,
  bookmarksText,
  importBookmarks,
  openBookmarks,
} from "../../../viewer/navigation/bookmarks";
import { lightOf } from "../../../viewer/light/light";
import type { Microscope } from "../../../viewer/core/microscope";
import { magnificationLabel } from "../../../viewer/navigation/objectives";
import { shownMagnification } from "../../../viewer/navigation/scale";
import { parseViewLink, viewLinkHash } from "../../../viewer/core/viewLink";
import { readViewLink, showViewLink } from "../../../viewer/view/view";
import { jump } from "../browserHistory";

const PICTURE = { width: 120, height: 80 };
const stores = new Map<string, BookmarkStore>();

/** Opened once per slide; takes over what the address brings along. */
export function bookmarksOf(scope: Microscope): BookmarkStore {
  const { id } = scope.manifest;
  let store = stores.get(id);
  if (!store) stores.set(id, (store = openBookmarks(id, storage())));
  return store;
}

/** Takes over the bookmarks of the link that the page was opened with. */
export function takeFromLink(scope: Microscope, hash: string): number {
  return importBookmarks(bookmarksOf(scope), hash);
}

export function addHere(scope: Microscope, name = ""): Bookmark {
  const viewLink = readViewLink(scope);
  const { mpp, objectivePower } = scope.manifest;
  const magnification = shownMagnification(viewLink.scale, mpp?.x ?? null, objectivePower);
  const position = `x ${Math.round(viewLink.l0_x)}, y ${Math.round(viewLink.l0_y)}${magnification === null ? "" : `, ${magnificationLabel(magnification)}`}`;
  return addBookmark(bookmarksOf(scope), name || position, viewLinkHash(viewLink), picture(lightOf(scope).shown()));
}

export function visit(scope: Microscope, { place }: Bookmark): void {
  const viewLinkParsed = parseViewLink(place);
  if (viewLinkParsed) jump(scope, () => showViewLink(scope, viewLinkParsed));
}

/** A link to the current view that contains all bookmarks. Of the page's parameters it keeps the file that an exported page shows. */
export function linkWithBookmarks(scope: Microscope): string {
  const { origin, pathname, search } = location;
  const file = new URLSearchParams(search).get("file");
  const query = file === null ? "" : `?${new URLSearchParams({ file })}`;
  return `${origin}${pathname}${query}${viewLinkHash(readViewLink(scope))}&${bookmarksText(bookmarksOf(scope).getState())}`;
}

/** The middle of the view, small. */
function picture(canvas: HTMLCanvasElement): string {
  const small = document.createElement("canvas");
  small.width = PICTURE.width;
  small.height = PICTURE.height;
  const scale = Math.max(PICTURE.width / canvas.width, PICTURE.height / canvas.height);
  const [width, height] = [canvas.width * scale, canvas.height * scale];
  const pen = small.getContext("2d")!;
  pen.fillStyle = "#f4f3f5";
  pen.fillRect(0, 0, PICTURE.width, PICTURE.height);
  pen.drawImage(canvas, (PICTURE.width - width) / 2, (PICTURE.height - height) / 2, width, height);
  return small.toDataURL("image/jpeg", 0.75);
}

/** Null where the browser forbids it. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
