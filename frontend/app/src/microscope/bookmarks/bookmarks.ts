/** The open slide's bookmarks: one store per slide, shared by all callers. */
import {
  type Bookmark,
  type BookmarkStore,
  addBookmark,
  bookmarksText,
  importBookmarks,
  openBookmarks,
} from "@wavescope/viewer/navigation/bookmarks";
import { lightOf } from "@wavescope/viewer/light/light";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { magnificationLabel } from "@wavescope/viewer/navigation/objectives";
import { shownMagnification } from "@wavescope/viewer/navigation/scale";
import { parseViewLink, viewLinkHash } from "@wavescope/viewer/core/viewLink";
import { readViewLink, showViewLink } from "@wavescope/viewer/view/view";
import { jump } from "../browserHistory";

const PICTURE = { width: 120, height: 80 };
const stores = new Map<string, BookmarkStore>();

/** Opened once per slide; takes over what the address brings along. */
export function bookmarksOf(microscope: Microscope): BookmarkStore {
  const { id } = microscope.manifest;
  let store = stores.get(id);
  if (!store) stores.set(id, (store = openBookmarks(id, storage())));
  return store;
}

/** Takes over the bookmarks of the link that the page was opened with. */
export function takeFromLink(microscope: Microscope, hash: string): number {
  return importBookmarks(bookmarksOf(microscope), hash);
}

export function addHere(microscope: Microscope, name = ""): Bookmark {
  const viewLink = readViewLink(microscope);
  const { mpp, objectivePower } = microscope.manifest;
  const magnification = shownMagnification(viewLink.scale, mpp?.x ?? null, objectivePower);
  const position = `x ${Math.round(viewLink.l0_x)}, y ${Math.round(viewLink.l0_y)}${magnification === null ? "" : `, ${magnificationLabel(magnification)}`}`;
  return addBookmark(
    bookmarksOf(microscope),
    name || position,
    viewLinkHash(viewLink),
    picture(lightOf(microscope).shown()),
  );
}

export function visit(microscope: Microscope, { place }: Bookmark): void {
  const viewLinkParsed = parseViewLink(place);
  if (viewLinkParsed) jump(microscope, () => showViewLink(microscope, viewLinkParsed));
}

/** A link to the current view that contains all bookmarks. Of the page's parameters it keeps the file that an exported page shows. */
export function linkWithBookmarks(microscope: Microscope): string {
  const { origin, pathname, search } = location;
  const file = new URLSearchParams(search).get("file");
  const query = file === null ? "" : `?${new URLSearchParams({ file })}`;
  return `${origin}${pathname}${query}${viewLinkHash(readViewLink(microscope))}&${bookmarksText(bookmarksOf(microscope).getState())}`;
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
