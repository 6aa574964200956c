// Rasters as tests make them (rasters.py), and what their pixels are.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PYTHON, ROOT, type Service, removeFolder, temporaryFolder, wavescope } from "./service.ts";

export type RasterKind = "heat" | "labels" | "classes";

/** The bytes of a file of a raster. */
export function rasterFile(name: string, kind: RasterKind, width: number, height: number): Buffer {
  const folder = temporaryFolder();
  try {
    const file = join(folder, name);
    execFileSync(PYTHON, [join(ROOT, "e2e", "harness", "rasters.py"), file, kind, `${width}`, `${height}`]);
    return readFileSync(file);
  } finally {
    removeFolder(folder);
  }
}

/** Adds an overlay by the command line; `options` beyond its name. */
export function addRaster(
  service: Service,
  slide: string,
  name: string,
  [kind, width, height]: readonly [RasterKind, number, number],
  options: readonly string[],
): void {
  const folder = temporaryFolder();
  try {
    const file = join(folder, `${kind}.tif`);
    execFileSync(PYTHON, [join(ROOT, "e2e", "harness", "rasters.py"), file, kind, `${width}`, `${height}`]);
    wavescope(service.store, ["overlay", "add", slide, file, "--name", name, ...options]);
  } finally {
    removeFolder(folder);
  }
}

/** The value of a pixel of `heat`; null: it has none. */
export const heatAt = (x: number, y: number): number | null =>
  x < 100 && y < 100 ? null : 0.5 + 0.5 * Math.sin(x / 91) * Math.cos(y / 67);

export const labelAt = (x: number, y: number): number => 1 + Math.floor(x / 24) + 60 * Math.floor(y / 24);
