/** The catalog and the jobs: list, open, rename, delete. */
import { call } from "../http/api";
import { type Job, jobOf } from "./jobs";
import type { Sort } from "./sort";
import { type Manifest, type SlidePage, manifestOf, summaryOf } from "../slides/manifest";

/** Slides of one request. */
export const PAGE = 60;

export interface SlideQuery {
  readonly search: string;
  /** `NAME:VALUE` */
  readonly labels: readonly string[];
  readonly sort: Sort;
}

export async function listSlides(
  { search, labels, sort }: SlideQuery,
  page = 1,
  signal?: AbortSignal,
  perPage = PAGE,
): Promise<SlidePage> {
  const query = { page, per_page: perPage, sort, label: labels, search: search || undefined };
  const { slides, total } = await call("GET /slides", { query, signal });
  return { slides: slides.map(summaryOf), total };
}

/** Another title, other tags; a tag that is null is removed. */
export async function changeSlide(
  id: string,
  change: { title?: string; tags?: Record<string, string | null> },
): Promise<void> {
  await call("PATCH /slides/{slide_id}", { path: { slide_id: id }, body: change });
}

/** The same tags for several slides, at most 1,000: of all or of none. */
export async function tagSlides(slides: readonly string[], tags: Record<string, string | null>): Promise<void> {
  await call("PATCH /slides", { body: { slides: [...slides], tags } });
}

/** Moves the slide into the trash. */
export async function deleteSlide(id: string): Promise<void> {
  await call("DELETE /slides/{slide_id}", { path: { slide_id: id } });
}

export async function listJobs(signal?: AbortSignal): Promise<Job[]> {
  return (await call("GET /jobs", { signal })).jobs.map(jobOf);
}

export async function readJob(id: string, signal?: AbortSignal): Promise<Job> {
  return jobOf(await call("GET /jobs/{job_id}", { path: { job_id: id }, signal }));
}

/** The slide of a job that has not ended, as its source file describes it. */
export async function openPreview(id: string, signal?: AbortSignal): Promise<Manifest> {
  return manifestOf(await call("GET /jobs/{job_id}/preview", { path: { job_id: id }, signal }));
}

/** Cancels a job that runs; removes the record of one that has ended. */
export async function cancelJob(id: string): Promise<void> {
  await call("DELETE /jobs/{job_id}", { path: { job_id: id } });
}
