// Once per run: a store with the slides that the tests look at, and for each worker a service on a copy of its own.
import { dirname, join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { copySlides } from "./cachedStore.ts";
import { STATIC, serveExports } from "./exports.ts";
import { Service, copyStore, removeFolder, temporaryFolder } from "./service.ts";

export { FIDUCIAL, REGION_FILE, SLIDES } from "./slides.ts";

/** What the tests of one worker leave on their service meets no other worker, and no spec that makes a copy of the store. */
export default async function globalSetup({ workers }: FullConfig): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  copySlides(folder);
  const store = join(folder, "store");
  const services = STATIC ? [await serveExports(store, join(folder, "exports"))] : await startServices(store, workers);
  process.env.WAVESCOPE_E2E_SHOWN = join(folder, "shown.png");
  process.env.WAVESCOPE_E2E_ADDRESSES = services.map((service) => service.address).join(" ");
  process.env.WAVESCOPE_E2E_STORE = store;
  return async () => {
    await Promise.all(services.map((service) => service.stop()));
    for (const service of services) if ("store" in service) removeFolder(dirname(service.store));
    removeFolder(folder);
  };
}

const startServices = (store: string, workers: number): Promise<Service[]> =>
  Promise.all(Array.from({ length: workers }, () => Service.start(copyStore(store))));
