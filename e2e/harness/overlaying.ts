// Overlays as tests make them: the cells that a specimen shows, which its painter knows.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { PYTHON, ROOT, type Service, removeFolder, temporaryFolder, wavescope } from "./service.ts";

/** x, y of each corner, the last not repeated. */
export type Ring = readonly (readonly [number, number])[];

export interface Cell {
  readonly ring: Ring;
  readonly of: string;
  readonly score: number;
}

interface Feature {
  readonly geometry: { readonly coordinates: readonly [Ring] };
  readonly properties: {
    readonly classification: { readonly name: string };
    readonly measurements: { readonly Probability: number };
  };
}

/** The true cells of a specimen, and the same as QuPath's GeoJSON. */
export function trueCells(specimen: string): { readonly cells: readonly Cell[]; readonly geojson: string } {
  const script = join(ROOT, "e2e", "harness", "true_cells.py");
  const geojson = execFileSync(PYTHON, [script, specimen], { encoding: "utf8", maxBuffer: 1 << 28 });
  const { features } = JSON.parse(geojson) as { readonly features: readonly Feature[] };
  const cells = features.map(({ geometry, properties }) => ({
    ring: geometry.coordinates[0].slice(0, -1),
    of: properties.classification.name,
    score: properties.measurements.Probability,
  }));
  return { cells, geojson };
}

/** Adds an overlay by the command line. */
export function addOverlay(service: Service, slide: string, name: string, geojson: string): void {
  const folder = temporaryFolder();
  try {
    const file = join(folder, "cells.geojson");
    writeFileSync(file, geojson);
    wavescope(service.store, ["overlay", "add", slide, file, "--name", name, "--score", "Probability"]);
  } finally {
    removeFolder(folder);
  }
}

/** All overlays that are shown are drawn to the end. */
export async function overlaysSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const shown = window.__wavescope.overlays?.state().filter(({ visible }) => visible);
    return shown !== undefined && shown.length > 0 && shown.every(({ settled }) => settled);
  });
}

/** Whether a point lies in a ring. */
export function isInside(ring: Ring, x: number, y: number): boolean {
  let inside = false;
  ring.forEach(([xi, yi], i) => {
    const [xj, yj] = ring[(i + 1) % ring.length]!;
    if (yi > y !== yj > y && x < xi + ((xj - xi) * (y - yi)) / (yj - yi)) inside = !inside;
  });
  return inside;
}

/** From a point to the nearest line of a ring. */
export function distanceTo(ring: Ring, x: number, y: number): number {
  return Math.min(
    ...ring.map(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length]!;
      const long = (bx - ax) ** 2 + (by - ay) ** 2;
      const part = long === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long));
      return Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
    }),
  );
}

/** Least and most x and y. */
export function boxOf(ring: Ring): { minX: number; minY: number; maxX: number; maxY: number } {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

/** How many pixels of the viewer overlays have drawn. */
export function overlayArea(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { rgba } = window.__wavescope.overlays!.readPicture();
    let drawn = 0;
    for (let i = 3; i < rgba.length; i += 4) if (rgba[i]! > 0) drawn += 1;
    return drawn;
  });
}
