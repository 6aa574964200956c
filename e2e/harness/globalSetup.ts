// Once per run: a store with the slides that the tests look at, and a service on it.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Disc, writeFiducial } from "./pictures.ts";
import { PYTHON, ROOT, Service, realSlide, removeFolder, temporaryFolder, wavescope } from "./service.ts";

export const FIDUCIAL: Disc & { width: number; height: number } = { width: 4096, height: 3072, l0_x: 1808, l0_y: 1296, radius: 96 };

/** Ids of the slides in the shared store. The region is there only where the machine has the shared data. */
export const SLIDES = { specimen: "specimen", region: "CMU-1-Small-Region", fiducial: "fiducial", lossless: "lossless", large: "large", planes: "planes", profiled: "profiled" } as const;
export const REGION_FILE = "CMU-1-Small-Region.svs";

export default async function globalSetup(): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  const store = join(folder, "store");
  wavescope(store, ["ingest", "specimen:2900x2330x3", "--id", SLIDES.specimen]);
  wavescope(store, ["ingest", "specimen:1800x1400x7", "--id", SLIDES.planes]);
  wavescope(store, ["ingest", "specimen:9216x7168x2?seed=5", "--id", SLIDES.large]);
  wavescope(store, ["ingest", "specimen:1500x1300?seed=3", "--id", SLIDES.lossless, "--profile", "lossless"]);
  const mark = join(folder, "fiducial.png");
  writeFiducial(mark, FIDUCIAL.width, FIDUCIAL.height, FIDUCIAL);
  wavescope(store, ["ingest", mark, "--id", SLIDES.fiducial]);
  const [scanned, shown] = [join(folder, "scanned.png"), join(folder, "shown.png")];
  execFileSync(PYTHON, [join(ROOT, "e2e", "harness", "profiled_picture.py"), scanned, shown]);
  wavescope(store, ["ingest", scanned, "--id", SLIDES.profiled, "--profile", "lossless"]);
  process.env.WAVESCOPE_E2E_SHOWN = shown;
  const region = realSlide(REGION_FILE);
  if (region) wavescope(store, ["ingest", region, "--id", SLIDES.region]);
  const service = await Service.start(store);
  process.env.WAVESCOPE_E2E_ADDRESS = service.address;
  process.env.WAVESCOPE_E2E_STORE = store;
  return async () => {
    await service.stop();
    removeFolder(folder);
  };
}
