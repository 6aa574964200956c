// The slides in the store that the tests look at.
import type { Disc } from "./pictures.ts";

export const FIDUCIAL: Disc & { width: number; height: number } = {
  width: 4096,
  height: 3072,
  l0_x: 1808,
  l0_y: 1296,
  radius: 96,
};

/** Ids of the slides in the shared store. Region and Minerva are there only where the machine has the shared data. */
export const SLIDES = {
  specimen: "specimen",
  region: "CMU-1-Small-Region",
  minerva: "minerva",
  fiducial: "fiducial",
  lossless: "lossless",
  large: "large",
  planes: "planes",
  profiled: "profiled",
} as const;
export const REGION_FILE = "CMU-1-Small-Region.svs";
export const MINERVA_FILE = "minerva_CRC01_HE_17408x14336.tif";
