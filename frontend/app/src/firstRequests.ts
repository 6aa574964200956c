/**
 * A slide opened by its address: what it waits for is on its way before the rest of the page is here. A session, a tour or a recording
 * shows another view than its address.
 */
import "@wavescope/core/i18n/translated"; // its request goes out with the first ones
import { beginOpening, beginView } from "@wavescope/viewer/core/opening";
import { warmUp } from "@wavescope/viewer/core/sources";
import { beginThumbnail } from "@wavescope/viewer/core/thumbnail";
import { beginManifest } from "@wavescope/core/wire/slides/manifestClient";
import { restoreView } from "./microscope/leaving";
import { placeNow } from "./microscope/place";

restoreView();

/** Resolves once the first blocks were requested, or cannot be. */
export const firstRequests: Promise<void> = begin().catch(() => undefined); // the page asks again and reports it

async function begin(): Promise<void> {
  const [, name] = /^\/slides\/([^/]+)\/?$/.exec(location.pathname) ?? [];
  if (name === undefined) return;
  const id = decodeURIComponent(name);
  const manifest = beginManifest(id);
  beginThumbnail(id);
  const place = placeNow();
  beginView(id, place);
  warmUp();
  const known = await manifest;
  if (place.search === "") await beginOpening(known, place.hash, place, place.pixelRatio);
}
