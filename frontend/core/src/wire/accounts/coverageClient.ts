/** What the user saw of slides, stored with the account (page.md, CV8). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type SeenLog = Fixed<Wire.SeenBody>;
export type SeenSlides = Fixed<Wire.SeenSlides>;
export type PeopleMap = Fixed<Wire.PeopleMap>;

/** Of which slides views are stored, which were reviewed, and to what the user has agreed, also if all that was stored is cleared. */
export async function storedSlides(): Promise<SeenSlides> {
  return call("GET /me/coverage");
}

/** Those who own a slide get the log without the name, or no longer. */
export async function shareCoverage(shared: boolean): Promise<SeenSlides> {
  return call("PUT /me/coverage", { body: { shared } });
}

/** How many people saw each part of a slide, in views of at least `scale` device pixels per level-0 pixel. */
export async function readPeopleMap(slide: string, scale: number, signal?: AbortSignal): Promise<PeopleMap> {
  return call("GET /slides/{slide_id}/coverage", { path: { slide_id: slide }, query: { scale }, signal });
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
