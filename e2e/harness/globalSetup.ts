// Once per run: a store with the slides that the tests look at, as it was made, and a service on a copy of it.
import { dirname, join } from "node:path";
import { copySlides } from "./cachedStore.ts";
import { Service, copyStore, removeFolder, temporaryFolder } from "./service.ts";

export { FIDUCIAL, REGION_FILE, SLIDES } from "./slides.ts";

export default async function globalSetup(): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  copySlides(folder);
  const store = join(folder, "store");
  const service = await Service.start(copyStore(store)); // what one test leaves there stays out of the copies that others make
  process.env.WAVESCOPE_E2E_SHOWN = join(folder, "shown.png");
  process.env.WAVESCOPE_E2E_ADDRESS = service.address;
  process.env.WAVESCOPE_E2E_STORE = store;
  return async () => {
    await service.stop();
    removeFolder(dirname(service.store));
    removeFolder(folder);
  };
}
