/** What the user saw of slides, stored with the account (page.md, CV8). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type SeenLog = Fixed<Wire.SeenBody>;

/** Whether the user has agreed, also if all that was stored is cleared. */
export async function isCoverageStored(): Promise<boolean> {
  return (await call("GET /me/coverage")).agreed;
}

/** The slides of which views are stored. */
export async function slidesStored(): Promise<readonly string[]> {
  return (await call("GET /me/coverage")).slides;
}

export async function readStoredCoverage(slide: string): Promise<SeenLog> {
  return call("GET /me/coverage/{slide_id}", { path: { slide_id: slide } });
}

/** Replaces what is stored of a slide. Only to be called once the user has agreed. */
export async function storeCoverage(slide: string, log: SeenLog): Promise<void> {
  await call("PUT /me/coverage/{slide_id}", { path: { slide_id: slide }, body: { ...log, consent: true } });
}

/** Deletes what is stored of all slides. */
export async function deleteStoredCoverage(): Promise<void> {
  await call("DELETE /me/coverage");
}
