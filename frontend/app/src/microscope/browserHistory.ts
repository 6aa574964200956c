/** Views in the browser's history: a jump makes a new entry, a move does not. */
import { lightOf } from "@wavescope/viewer/light/light";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { parseViewLink, viewLinkHash } from "@wavescope/viewer/core/viewLink";
import { readViewLink, showViewLink } from "@wavescope/viewer/view/view";
import { saveView } from "./leaving";

const REST_MILLISECONDS = 300;

/** Goes elsewhere by `move`; the browser's back button returns to where the view was. */
export function jump(microscope: Microscope, move: () => void): void {
  stamp(microscope);
  const before = addressOf(microscope);
  move();
  const after = addressOf(microscope);
  if (after !== before) history.pushState(null, "", after);
}

const composers = new WeakMap<Microscope, () => string>();

/** The address of a page that shows more than this one slide. */
export function composeAddress(microscope: Microscope, compose: () => string): void {
  composers.set(microscope, compose);
}

/** Keeps the address bar equal to the view, and shows the view that back, forward or an edited address ask for. */
export function followAddress(microscope: Microscope): () => void {
  const { pathname } = location;
  let timer: ReturnType<typeof setTimeout>;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stamp(microscope), REST_MILLISECONDS);
  };
  const stops = [microscope.state.subscribe(later), lightOf(microscope).state.subscribe(later)];
  const back = (): void => {
    const viewLink = location.pathname === pathname ? parseViewLink(location.hash) : null;
    if (viewLink) showViewLink(microscope, viewLink);
  };
  const leave = (): void => saveView(addressOf(microscope));
  addEventListener("popstate", back);
  addEventListener("pagehide", leave);
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
    removeEventListener("popstate", back);
    removeEventListener("pagehide", leave);
  };
}

/** Writes the view into the current entry. */
export function stamp(microscope: Microscope): void {
  history.replaceState(history.state, "", addressOf(microscope));
}

function addressOf(microscope: Microscope): string {
  return composers.get(microscope)?.() ?? location.pathname + location.search + viewLinkHash(readViewLink(microscope));
}
