/**
 * The service worker: keeps the files of this build of the page, so that a later visit fetches none of them and a visit without network
 * has a page (PG10 to PG12). It never sees what belongs to a person: requests of the API go past it.
 */
import { addRoute, cleanupOutdatedCaches, matchPrecache, precache } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";

/** Routes of the browser's own (Chromium): such requests do not even wake the worker. */
interface InstallEvent extends Event {
  addRoutes?(rules: readonly object[]): Promise<void>;
}

/** The files of the build, written by bundling/serviceWorker.ts. */
declare const FILES: { readonly url: string; readonly revision: string | null }[];

addEventListener("install", (event: InstallEvent) => {
  const add = (urlPattern: string, source: string): void =>
    void event.addRoutes?.([{ condition: { urlPattern }, source }])?.catch(() => undefined);
  add("/api/*", "network");
  add("/assets/*", "cache"); // their names have a hash: what is stored is right
});

precache(FILES);
addRoute({ cleanURLs: false, directoryIndex: "" });
cleanupOutdatedCaches();

// The page of the service comes first: a new build is shown at its first visit. The stored page names files of its own build only.
registerRoute(
  new NavigationRoute(
    async ({ request }) => {
      try {
        return await fetch(request);
      } catch (error) {
        const stored = await matchPrecache("/index.html");
        if (!stored) throw error;
        return stored;
      }
    },
    { denylist: [/^\/(api|docs)(\/|$)/] },
  ),
);
