/** Registers the service worker, once the page has nothing more urgent to fetch. */

/** Browsers without service workers, and pages that are not secure (neither HTTPS nor localhost), work as before (PG10). */
export function registerServiceWorker(
  container: Pick<ServiceWorkerContainer, "register"> | undefined = globalThis.navigator?.serviceWorker,
): void {
  container?.register("/sw.js", { scope: "/", updateViaCache: "none" }).catch(() => undefined); // a browser may forbid it
}
