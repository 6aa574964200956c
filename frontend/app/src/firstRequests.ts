/**
 * What a page waits for is on its way before the rest of it is here: its code, and for a slide opened by its address what that shows. A
 * session, a tour or a recording shows another view than its address.
 */
import "@wavescope/core/i18n/translated"; // its request goes out with the first ones
import { beginOpening, beginView } from "@wavescope/viewer/core/opening";
import { warmUp } from "@wavescope/viewer/core/sources";
import { beginThumbnail } from "@wavescope/viewer/core/thumbnail";
import { beginManifest } from "@wavescope/core/wire/slides/manifestClient";
import { galleryPage, otherPage, slidePage } from "./firstPages";
import { restoreView } from "./microscope/leaving";
import { placeNow } from "./microscope/place";

const [, slide] = /^\/slides\/([^/]+)\/?$/.exec(location.pathname) ?? [];
const code = slide !== undefined ? slidePage() : location.pathname === "/" ? galleryPage() : otherPage();
code.catch(() => undefined); // the page asks for it again and reports it
restoreView();

/** Resolves once the first blocks were requested, or cannot be. */
export const firstRequests: Promise<void> = begin().catch(() => undefined); // the page asks again and reports it

async function begin(): Promise<void> {
  if (slide === undefined) return;
  const id = decodeURIComponent(slide);
  const manifest = beginManifest(id);
  beginThumbnail(id);
  const place = placeNow();
  beginView(id, place, manifest);
  warmUp();
  const known = await manifest;
  if (place.search === "") await beginOpening(known, place.hash, place, place.pixelRatio);
}
