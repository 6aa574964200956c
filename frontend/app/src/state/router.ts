/**
 * Pages and their addresses: `/` the gallery (`?search=`, `label=`, `sort=`: what of it is shown), `/slides/{id}` a slide, `/cases/{id}`, `/tours/{id}`, `/quizzes/{id}`, `/incoming/{job}`, `/trash`, `/audit`,
 * `/compare?slide={id}&slide={id}`, `/join` and `/join/{code}` into a live session, `/recordings/{id}` of one. `?session={id}` or `?recording={id}` goes along from page to page.
 * `/sign-in?next={path}`, `/open#{token}` a share link, `/account`, `/people` users and groups, `/edge` the state of an edge, `/planner` the capacity planner, `/views` the page of views.
 */
import { useSyncExternalStore } from "react";

const WITH_ID = {
  slides: "slide",
  cases: "case",
  tours: "tour",
  quizzes: "quiz",
  incoming: "incoming",
  join: "join",
  recordings: "recording",
} as const;

const SINGLE = [
  "trash",
  "compare",
  "sign-in",
  "open",
  "account",
  "people",
  "audit",
  "edge",
  "planner",
  "views",
  "join",
] as const;
type Single = (typeof SINGLE)[number];
type WithId = (typeof WITH_ID)[keyof typeof WITH_ID];

type Plain<Page> = Page extends string ? { readonly page: Page } : never;
type Identified<Page> = Page extends string ? { readonly page: Page; readonly id: string } : never;

export type Route =
  | Plain<"gallery" | "unknown" | Exclude<Single, "join">>
  | Identified<Exclude<WithId, "join">>
  /** Null: the code is still to be typed. */
  | { readonly page: "join"; readonly id: string | null };

export function parseRoute(pathname: string): Route {
  if (pathname === "/" || pathname === "") return { page: "gallery" };
  const single = SINGLE.find((page) => pathname === `/${page}` || pathname === `/${page}/`);
  if (single) return single === "join" ? { page: single, id: null } : { page: single };
  const found = /^\/(slides|cases|tours|quizzes|incoming|join|recordings)\/([^/]+)\/?$/.exec(pathname);
  if (!found) return { page: "unknown" };
  try {
    return { page: WITH_ID[found[1] as keyof typeof WITH_ID], id: decodeURIComponent(found[2]!) };
  } catch {
    return { page: "unknown" };
  }
}

export function slidePath(id: string): string {
  return `/slides/${encodeURIComponent(id)}`;
}

export function tourPath(id: string): string {
  return `/tours/${encodeURIComponent(id)}`;
}

export function quizPath(id: string): string {
  return `/quizzes/${encodeURIComponent(id)}`;
}

export function casePath(id: string): string {
  return `/cases/${encodeURIComponent(id)}`;
}

const CHANGE = "wavescope:navigate";

/**
 * What belongs to one page alone and does not travel to the next unless it is given: the case stepped through, the tour followed, the slides compared, where signing in leads,
 * what a list is narrowed down to.
 */
const LOCAL = [
  ...(["case", "tour", "step", "left", "right", "mode", "next", "failed"] as const),
  ...(["search", "label", "sort", "view", "name", "action", "slide", "since"] as const),
] as const;
export type Query = Readonly<Partial<Record<(typeof LOCAL)[number], string | readonly string[]>>>;

let gallery: Query = {};

/** How the gallery is narrowed down now: ways back to it lead there again. */
export function rememberGallery(query: Query): void {
  gallery = query;
}

/** Where a page of ours lies (`path` may end in `#...`); what else is asked for (`?fallback=1`) travels along. */
export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams(location.search);
  for (const name of LOCAL) search.delete(name);
  const shownQuery = path === "/" && Object.keys(query).length === 0 ? gallery : query;
  for (const [name, values] of Object.entries(shownQuery))
    for (const value of [values].flat()) search.append(name, value);
  const [page, hash] = path.split("#", 2);
  return [page, search.size > 0 ? `?${search}` : "", hash ? `#${hash}` : ""].join("");
}

/** The case in whose slides one looks around, for a way that stays in it. */
export function caseQuery(): Query {
  const open = new URLSearchParams(location.search).get("case");
  return open === null ? {} : { case: open };
}

/** Goes to a page of the app. `replace`: without an entry in the history; `hash`: with this view of the slide; `state`: the state of the entry. */
export function navigate(
  path: string,
  query: Query = {},
  { replace = false, hash = "", state = null as string | null } = {},
): void {
  const address = addressOf(path, query) + hash;
  if (replace) history.replaceState(state, "", address);
  else history.pushState(state, "", address);
  dispatchEvent(new Event(CHANGE));
}

/** A member of a live session, or the viewer of a recording, stays in it from page to page; null: no longer. */
export function setSessionInAddress(kind: "session" | "recording", id: string | null): void {
  const search = new URLSearchParams(location.search);
  if (search.get(kind) === id) return;
  if (id === null) search.delete(kind);
  else search.set(kind, id);
  history.replaceState(
    history.state,
    "",
    [location.pathname, search.size > 0 ? `?${search}` : "", location.hash].join(""),
  );
  dispatchEvent(new Event(CHANGE));
}

/** For links that are real links: a plain click stays in the page. */
export function follow(event: React.MouseEvent, path: string, query: Query = {}): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  navigate(path, query);
}

/** Calls whenever the page becomes another; gives what ends that. */
export function onNavigation(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener(CHANGE, listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener(CHANGE, listener);
  };
}

export function usePathname(): string {
  return useSyncExternalStore(onNavigation, () => location.pathname);
}

/** All parameters of the page's own address, as text. */
export function useSearchText(): string {
  return useSyncExternalStore(onNavigation, () => location.search);
}

/** A parameter of the page's own address, null if it is not there. */
export function useQueryParameter(name: keyof Query | "session" | "recording"): string | null {
  return useSyncExternalStore(onNavigation, () => new URLSearchParams(location.search).get(name));
}
