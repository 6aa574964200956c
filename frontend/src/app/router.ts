/** Two pages, two addresses: `/` the gallery, `/slides/{id}` a slide. */
import { useSyncExternalStore } from "react";

export type Route = { readonly page: "gallery" } | { readonly page: "slide"; readonly id: string } | { readonly page: "unknown" };

export function parseRoute(pathname: string): Route {
  if (pathname === "/" || pathname === "") return { page: "gallery" };
  const slide = /^\/slides\/([^/]+)\/?$/.exec(pathname);
  if (!slide) return { page: "unknown" };
  try {
    return { page: "slide", id: decodeURIComponent(slide[1]) };
  } catch {
    return { page: "unknown" };
  }
}

export function slidePath(id: string): string {
  return `/slides/${encodeURIComponent(id)}`;
}

const CHANGE = "wavescope:navigate";

/** Goes to a page of ours; the query (`?fallback=1`) travels along. */
export function navigate(path: string): void {
  history.pushState(null, "", path + location.search);
  dispatchEvent(new Event(CHANGE));
}

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener(CHANGE, listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener(CHANGE, listener);
  };
}

export function usePathname(): string {
  return useSyncExternalStore(subscribe, () => location.pathname);
}
