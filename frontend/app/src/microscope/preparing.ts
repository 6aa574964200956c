/** What a slide waits for is on its way before its page is rendered, or before the button of the mouse is released. */
import type { PointerEvent } from "react";
import { type Place, prepareOpening } from "@wavescope/viewer/core/opening";
import { beginThumbnail } from "@wavescope/viewer/core/thumbnail";
import { beginManifest, fetchManifestAhead, queryClient } from "../state/queries";
import { onNavigation, parseRoute } from "../state/router";
import { placeNow } from "./place";

/** From now on, whenever the page becomes another slide: rendering it first would delay the requests by what it takes to close the former one. */
export function prepareOnNavigation(): void {
  let shown = location.pathname;
  onNavigation(() => {
    const { pathname } = location;
    if (pathname !== shown) prepare(pathname, placeNow(), beginManifest);
    shown = pathname;
  });
}

/** A link that is pressed. A finger may be about to scroll; with a key pressed, the slide opens in another page. */
export function preparePressed(event: PointerEvent<HTMLAnchorElement>): void {
  if (event.pointerType !== "mouse" || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  const { pathname, search, hash } = event.currentTarget;
  if (pathname !== location.pathname)
    prepare(pathname, { ...placeNow(), search, hash }, (id) => fetchManifestAhead(queryClient, id));
}

function prepare(pathname: string, place: Place, manifestOf: (id: string) => Promise<unknown>): void {
  const route = parseRoute(pathname);
  if (route.page !== "slide") return;
  prepareOpening(route.id, place);
  beginThumbnail(route.id);
  void manifestOf(route.id).catch(() => undefined); // the page of the slide reports it
}
