/**
 * A slide opened by its address: what it waits for is on its way before the rest of the page is here. A session, a tour or a recording
 * shows another view than its address.
 */
import { beginOpening } from "../viewer/core/opening";
import { warmUp } from "../viewer/core/sources";
import { beginThumbnail } from "../viewer/core/thumbnail";
import { beginManifest } from "../wire/slides/manifestClient";
import { regainMove } from "./microscope/leaving";

regainMove();

/** Resolves once the first blocks were requested, or cannot be. */
export const firstRequests: Promise<void> = begin().catch(() => undefined); // the page asks again and reports it

async function begin(): Promise<void> {
  const [, name] = /^\/slides\/([^/]+)\/?$/.exec(location.pathname) ?? [];
  if (name === undefined) return;
  const id = decodeURIComponent(name);
  const manifest = beginManifest(id);
  beginThumbnail(id);
  warmUp();
  const [{ hash, search }, { innerWidth: width, innerHeight: height, devicePixelRatio }] = [location, window];
  const known = await manifest;
  if (search === "") await beginOpening(known, hash, { width, height }, devicePixelRatio);
}
