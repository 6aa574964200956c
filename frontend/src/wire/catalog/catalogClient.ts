/** The catalog and the jobs: list, open, rename, delete, upload, follow. */
import { OfflineError } from "../http/errors";
import { type Fetch, jsonOf, parseProblem, request } from "../http/http";
import { type Job, type Profile, hasEnded, parseJob, parseJobs } from "./jobs";
import { type Manifest, type SlidePage, parseManifest, parseSlidePage } from "../slides/manifest";

const API = "/api/v1";
const browserFetch: Fetch = (input, init) => fetch(input, init);

const slideUrl = (id: string): string => `${API}/slides/${encodeURIComponent(id)}`;
const jobUrl = (id: string): string => `${API}/jobs/${encodeURIComponent(id)}`;

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
  const query = new URLSearchParams({ page: String(page), per_page: String(perPage), sort });
  for (const label of labels) query.append("label", label);
  if (search) query.set("search", search);
  return parseSlidePage(await jsonOf(await request(browserFetch, `${API}/slides?${query}`, { signal })));
}

export async function openManifest(id: string, signal?: AbortSignal): Promise<Manifest> {
  return parseManifest(await jsonOf(await request(browserFetch, slideUrl(id), { signal })));
}

/** Another title, other tags; a tag that is null is removed. */
export async function changeSlide(
  id: string,
  change: { title?: string; tags?: Record<string, string | null> },
): Promise<void> {
  await request(browserFetch, slideUrl(id), {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(change),
  });
}

/** Moves the slide into the trash. */
export async function deleteSlide(id: string): Promise<void> {
  await request(browserFetch, slideUrl(id), { method: "DELETE" });
}

export async function listJobs(signal?: AbortSignal): Promise<Job[]> {
  return parseJobs(await jsonOf(await request(browserFetch, `${API}/jobs`, { signal })));
}

export async function readJob(id: string, signal?: AbortSignal): Promise<Job> {
  return parseJob(await jsonOf(await request(browserFetch, jobUrl(id), { signal })));
}

/** The slide of a job that has not ended, as its source file describes it. */
export async function openPreview(jobId: string, signal?: AbortSignal): Promise<Manifest> {
  return parseManifest(await jsonOf(await request(browserFetch, `${jobUrl(jobId)}/preview`, { signal })));
}

/** Cancels a job that runs; removes the record of one that has ended. */
export async function cancelJob(id: string): Promise<void> {
  await request(browserFetch, jobUrl(id), { method: "DELETE" });
}

export interface Upload {
  readonly job: Promise<Job>;
  abort(): void;
}

/** Sends a file; its job begins at once, unless the file is stored already (WI72). XMLHttpRequest, because fetch does not tell how much has been sent. */
export function upload(file: File, profile: Profile, onProgress: (sent: number, total: number) => void): Upload {
  const xhr = new XMLHttpRequest();
  const job = new Promise<Job>((resolve, reject) => {
    xhr.upload.onprogress = (event) => onProgress(event.loaded, event.total || file.size);
    xhr.onerror = () => reject(new OfflineError("the service does not answer"));
    xhr.onabort = () => reject(new DOMException("the upload was cancelled", "AbortError"));
    xhr.onload = () => {
      try {
        if (xhr.status < 200 || xhr.status > 299) throw parseProblem(xhr.status, xhr.statusText, xhr.responseText);
        const body = JSON.parse(xhr.responseText) as { job?: unknown };
        resolve(parseJob(body.job ?? body));
      } catch (error) {
        reject(error);
      }
    };
    xhr.open("POST", `${API}/uploads?${new URLSearchParams({ filename: file.name, profile, ask_if_stored: "true" })}`);
    xhr.setRequestHeader("Content-Type", "application/octet-stream");
    xhr.send(file);
  });
  return { job, abort: () => xhr.abort() };
}

/** A browser opens few connections to one host (six, with HTTP/1.1); event streams must not take them all. */
const MOST_STREAMS = 2;
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
  const tell = (job: Job): void => {
    if (stopped) return;
    if (hasEnded(job)) stop();
    onJob(job);
  };
  const poll = async (): Promise<void> => {
    try {
      tell(await readJob(id));
    } catch (error) {
      if (!(error instanceof OfflineError)) return stop();
    }
    if (!stopped) timer = setTimeout(() => void poll(), pollMilliseconds);
  };
  if (!events) void poll();
  events?.addEventListener("job", (event) => tell(parseJob(JSON.parse((event as MessageEvent<string>).data))));
  events?.addEventListener("error", () => {
    endStream();
    if (!stopped) void poll();
  });
  return stop;
}

function openStream(id: string): EventSource | null {
  if (typeof EventSource === "undefined" || streams >= MOST_STREAMS) return null;
  streams += 1;
  return new EventSource(`${jobUrl(id)}/events`);
}
