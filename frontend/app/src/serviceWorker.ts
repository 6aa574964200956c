/**
 * The service worker: keeps the files of this build of the page, so that a later visit fetches none of them and a visit without network
 * has a page (PG10 to PG12). It never sees what belongs to a person: requests of the API go past it.
 */
import { addRoute, cleanupOutdatedCaches, matchPrecache, precache } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { OUTDATED, type PagePorts, slideIn, slidePage } from "./offline/slidePage";

/** Routes of the browser's own (Chromium): such requests do not even wake the worker. */
interface InstallEvent extends Event {
  addRoutes?(rules: readonly object[]): Promise<void>;
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
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

/** Has an entry while the service has another build than the stored one. */
const REPLACED = "wavescope-replaced";

addEventListener("activate", ((event: Extendable) =>
  event.waitUntil(caches.delete(REPLACED))) as unknown as EventListener);

const stored = (): Promise<Response | undefined> => matchPrecache("/index.html");

const ports: PagePorts = {
  fetch: (request) => fetch(request),
  stored: async () => ((await caches.has(REPLACED)) ? undefined : stored()),
  outdated: () => caches.open(REPLACED),
  rest: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

interface WindowClients {
  get(id: string): Promise<{ postMessage(message: unknown): void } | undefined>;
}

/** Pages in windows of their own. A page in a frame is always the service's: its headers say who may frame it (LT16). */
const opensPage = ({ mode, destination }: Request): boolean => mode === "navigate" && destination === "document";

// A slide's page does not wait for the service where that is slow to respond (PG13).
registerRoute(
  ({ request, url }) => opensPage(request) && slideIn(url) !== null,
  async ({ event, request }) => {
    const { resultingClientId } = event as unknown as { resultingClientId: string };
    try {
      const { response, replaced } = await slidePage(request, ports);
      const reported = replaced.then(async (isReplaced) => {
        if (!isReplaced) return;
        const { clients, registration } = globalThis as unknown as { clients: WindowClients; registration: Updated };
        (await clients.get(resultingClientId))?.postMessage(OUTDATED);
        await registration.update().catch(() => undefined);
      });
      (event as unknown as Extendable).waitUntil(reported);
      return response;
    } catch (error) {
      return storedPage(error);
    }
  },
);

interface Updated {
  update(): Promise<unknown>;
}

// Other pages of the service come first: a new build is shown at its first visit. The stored page names files of its own build only.
registerRoute(
  ({ request, url }) => opensPage(request) && !/^\/(api|docs)(\/|$)/.test(url.pathname),
  async ({ request }) => {
    try {
      return await fetch(request);
    } catch (error) {
      return storedPage(error);
    }
  },
);

/** Where no service answers. */
async function storedPage(error: unknown): Promise<Response> {
  const page = await stored();
  if (!page) throw error;
  return page;
}
