/** A link to a slide that the mouse presses: what the slide waits for is on its way before the button is released. */
import type { PointerEvent } from "react";
import { prepareOpening } from "@wavescope/viewer/core/opening";
import { beginThumbnail } from "@wavescope/viewer/core/thumbnail";
import { fetchManifestAhead, queryClient } from "../state/queries";
import { parseRoute } from "../state/router";
import { placeNow } from "./place";

/** A finger may be about to scroll; with a key pressed, the slide opens in another page. */
export function prepareSlide(event: PointerEvent<HTMLAnchorElement>): void {
  if (event.pointerType !== "mouse" || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  const { pathname, search, hash } = event.currentTarget;
  const route = parseRoute(pathname);
  if (route.page !== "slide" || pathname === location.pathname) return;
  prepareOpening(route.id, { ...placeNow(), search, hash });
  beginThumbnail(route.id);
  void fetchManifestAhead(queryClient, route.id).catch(() => undefined); // the page of the slide reports it
}
