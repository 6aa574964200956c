// Once per run: a store with the slides that the tests look at, and a service on it.
import { join } from "node:path";
import { copySlides } from "./cachedStore.ts";
import { Service, removeFolder, temporaryFolder } from "./service.ts";

export { FIDUCIAL, REGION_FILE, SLIDES } from "./slides.ts";

export default async function globalSetup(): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  copySlides(folder);
  const store = join(folder, "store");
  const service = await Service.start(store);
  process.env.WAVESCOPE_E2E_SHOWN = join(folder, "shown.png");
  process.env.WAVESCOPE_E2E_ADDRESS = service.address;
  process.env.WAVESCOPE_E2E_STORE = store;
  return async () => {
    await service.stop();
    removeFolder(folder);
  };
}
