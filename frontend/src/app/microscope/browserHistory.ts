/** Views in the browser's history: a jump makes a new entry, a move does not. */
import { lightOf } from "../../viewer/light/light";
import type { Microscope } from "../../viewer/core/microscope";
import { parseViewLink, viewLinkHash } from "../../viewer/core/viewLink";
import { readViewLink, showViewLink } from "../../viewer/view/view";
import { noteMove } from "./leaving";

const REST_MILLISECONDS = 300;

/** Goes elsewhere by `move`; the browser's back button returns to where the view was. */
export function jump(scope: Microscope, move: () => void): void {
  stamp(scope);
  const before = addressOf(scope);
  move();
  const after = addressOf(scope);
  if (after !== before) history.pushState(null, "", after);
}

const composers = new WeakMap<Microscope, () => string>();

/** The address of a page that shows more than this one slide. */
export function composeAddress(scope: Microscope, compose: () => string): void {
  composers.set(scope, compose);
}

/** Keeps the address bar equal to the view, and shows the view that back, forward or an edited address ask for. */
export function followAddress(scope: Microscope): () => void {
  const { pathname } = location;
  let timer: ReturnType<typeof setTimeout>;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stamp(scope), REST_MILLISECONDS);
  };
  const stops = [scope.state.subscribe(later), lightOf(scope).state.subscribe(later)];
  const back = (): void => {
    const viewLink = location.pathname === pathname ? parseViewLink(location.hash) : null;
    if (viewLink) showViewLink(scope, viewLink);
  };
  const leave = (): void => noteMove(addressOf(scope));
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
export function stamp(scope: Microscope): void {
  history.replaceState(history.state, "", addressOf(scope));
}

function addressOf(scope: Microscope): string {
  return composers.get(scope)?.() ?? location.pathname + location.search + viewLinkHash(readViewLink(scope));
}
