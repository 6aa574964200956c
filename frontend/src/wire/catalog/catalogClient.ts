/** The catalog and the jobs: list, open, rename, delete, upload, follow. */
import { API, call, part } from "../http/api";
import { checked, parsedJson } from "../http/contract";
import { OfflineError } from "../http/errors";
import { JobBody } from "../generated/validators";
import { type Job, hasEnded, jobOf } from "./jobs";
import { type Manifest, type SlidePage, manifestOf, summaryOf } from "../slides/manifest";

export { type Upload, upload } from "./resumableUpload";

export const SORTS = ["newest", "oldest", "title"] as const;
export type Sort = (typeof SORTS)[number];

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
  perPage = 60,
): Promise<SlidePage> {
  const query = { page, per_page: perPage, sort, label: labels, search: search || undefined };
  const { slides, total } = await call("GET /slides", { query, signal });
  return { slides: slides.map(summaryOf), total };
}

export async function openManifest(id: string, signal?: AbortSignal): Promise<Manifest> {
  return manifestOf(await call("GET /slides/{slide_id}", { path: { slide_id: id }, signal }));
}

/** Another title, other tags; a tag that is null is removed. */
export async function changeSlide(
  id: string,
  change: { title?: string; tags?: Record<string, string | null> },
): Promise<void> {
  await call("PATCH /slides/{slide_id}", { path: { slide_id: id }, body: change });
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

/** A job in text that did not come as the answer of an operation. Throws ContractError. */
function parseJob(text: string, source: string): Job {
  return jobOf(checked(parsedJson(text, source), JobBody, source));
}

/** A browser opens few connections to one host (six, with HTTP/1.1); event streams must not take them all. */
const MAX_STREAMS = 2;
let streams = 0;

/**
 * Tells every change of a job until it ends. Server-sent events; where they break, or too many are open, asking once a second
 * until the service answers again. Gives a function that stops listening.
 */
export function followJob(id: string, onJob: (job: Job) => void, pollMilliseconds = 1000): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let events = openStream(id);
  const endStream = (): void => {
    if (!events) return;
    events.close();
    events = null;
    streams -= 1;
  };
  const stop = (): void => {
    stopped = true;
    clearTimeout(timer);
    endStream();
  };
  const report = (job: Job): void => {
    if (stopped) return;
    if (hasEnded(job)) stop();
    onJob(job);
  };
  const poll = async (): Promise<void> => {
    try {
      report(await readJob(id));
    } catch (error) {
      if (!(error instanceof OfflineError)) return stop();
    }
    if (!stopped) timer = setTimeout(() => void poll(), pollMilliseconds);
  };
  if (!events) void poll();
  events?.addEventListener("job", (event) => report(parseJob((event as MessageEvent<string>).data, eventsOf(id))));
  events?.addEventListener("error", () => {
    endStream();
    if (!stopped) void poll();
  });
  return stop;
}

const eventsOf = (id: string): string => `${API}/jobs/${part(id)}/events`;

function openStream(id: string): EventSource | null {
  if (typeof EventSource === "undefined" || streams >= MAX_STREAMS) return null;
  streams += 1;
  return new EventSource(eventsOf(id));
}
