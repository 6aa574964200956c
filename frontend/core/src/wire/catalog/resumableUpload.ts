/** Sending a file in an upload that can be resumed (tus 1.0, WI95 and WI96): after a broken connection only the rest is sent. */
import { API, call } from "../http/api";
import { OfflineError, ProblemError, mayRecover } from "../http/errors";
import { parseProblem, request } from "../http/http";
import { type Job, type Qualities, jobOf, qualityParameters } from "./jobs";

export interface Upload {
  /** The job that the file became. Once all of it has arrived, an answer about the job that is lost is asked for again. */
  readonly job: Promise<Job>;
  readonly abort: () => void;
}

/** Called with the id of the job as soon as it is known. */
export type OnJob = (id: string) => void;
export type OnProgress = (sent: number, total: number) => void;

/** What the service has of a file; `job`: the id of the job that it became, once it is complete. */
interface Arrived {
  readonly offset: number;
  readonly job: string | null;
}

const TUS = { "Tus-Resumable": "1.0.0" };
const BYTES = "application/offset+octet-stream";
/** Milliseconds before each further attempt, as long as no byte arrives: two minutes in all. */
const WAITS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000];
/** Refusals after which the service is asked how much it has. The last one: the sign-in is renewed then. */
const RESUMABLE = ["upload-busy", "wrong-offset", "credentials-expired"];

/** Sends a file; its job begins at once, unless the file is stored already (WI72). */
export function upload(
  file: File,
  qualities: Qualities,
  onProgress: OnProgress,
  onJob: OnJob,
  keepOriginal?: boolean,
): Upload {
  const control = new AbortController();
  const metadata: Record<string, string> = {
    filename: file.name,
    ...qualityParameters(qualities),
    ask_if_stored: "true",
  };
  if (keepOriginal !== undefined) metadata.keep_original = String(keepOriginal);
  return { job: send(file, metadata, onProgress, onJob, control.signal), abort: () => control.abort() };
}

/** The parameters of an upload (WI25). */
type Metadata = Readonly<Record<string, string>>;

/** Sends a file with these parameters; its job, which begins at once. */
export async function send(
  file: File,
  metadata: Metadata,
  onProgress: OnProgress,
  onJob: OnJob,
  signal: AbortSignal,
): Promise<Job> {
  const address = await create(file, metadata, signal);
  try {
    const id = await sendAll(file, address, onProgress, signal);
    onJob(id);
    return await read(id, signal);
  } catch (error) {
    if (signal.aborted) void ask(address, { method: "DELETE", headers: TUS }).catch(() => undefined); // it expires anyway
    throw error;
  }
}

/** The job, asked for until the service answers: the file is there, and is not sent again. */
async function read(id: string, signal: AbortSignal): Promise<Job> {
  for (let failures = 0; ; failures += 1) {
    try {
      return jobOf(await call("GET /jobs/{job_id}", { path: { job_id: id }, signal }));
    } catch (error) {
      if (!mayRecover(error)) throw error;
      await delay(WAITS[Math.min(failures, WAITS.length - 1)]!, signal);
    }
  }
}

/** The address of a new upload. */
async function create(file: File, metadata: Metadata, signal: AbortSignal): Promise<string> {
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${base64(value)}`);
  const headers = { ...TUS, "Upload-Length": String(file.size), "Upload-Metadata": pairs.join(",") };
  const response = await ask(`${API}/uploads/resumable`, { method: "POST", headers, signal });
  return response.headers.get("Location") ?? "";
}

/** The id of the job that the file became. */
async function sendAll(file: File, address: string, onProgress: OnProgress, signal: AbortSignal): Promise<string> {
  let arrived: Arrived = { offset: 0, job: null };
  let failures = 0;
  let broken = false;
  for (;;) {
    try {
      if (broken) {
        const found = await progressOf(address, signal);
        if (found.offset > arrived.offset) failures = 0;
        arrived = found.job === null ? await checkRest(address, found.offset, signal) : found;
        broken = false;
      }
      arrived = arrived.job === null ? await sendRest(file, address, arrived.offset, onProgress, signal) : arrived;
      if (arrived.job !== null) return arrived.job;
    } catch (error) {
      const resumable = mayRecover(error) || (error instanceof ProblemError && RESUMABLE.includes(error.problem));
      if (!resumable || failures >= WAITS.length) throw error;
      await delay(WAITS[failures]!, signal);
      failures += 1;
      broken = true;
    }
  }
}

async function progressOf(address: string, signal: AbortSignal): Promise<Arrived> {
  const { headers } = await ask(address, { method: "HEAD", headers: TUS, signal });
  return arrivedOf(headers.get("Upload-Offset"), headers.get("Content-Location"));
}

/**
 * Sends no bytes, to learn whether the rest is welcome: a browser reports a refusal that comes while it sends, such as
 * that of a full disk (507), only as a broken connection (OP27).
 */
async function checkRest(address: string, offset: number, signal: AbortSignal): Promise<Arrived> {
  const sent = { ...TUS, "Content-Type": BYTES, "Upload-Offset": String(offset) };
  const { headers } = await ask(address, { method: "PATCH", headers: sent, signal });
  return arrivedOf(headers.get("Upload-Offset"), headers.get("Content-Location"));
}

/** Sends what follows `offset`. XMLHttpRequest, because fetch does not report how much has been sent. */
function sendRest(
  file: File,
  address: string,
  offset: number,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Arrived> {
  const xhr = new XMLHttpRequest();
  const abort = () => xhr.abort();
  return new Promise<Arrived>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", abort);
    xhr.upload.onprogress = ({ loaded }) => onProgress(offset + loaded, file.size);
    xhr.onerror = () => reject(new OfflineError("the service does not answer"));
    xhr.onabort = () => reject(aborted());
    xhr.onload = () => {
      if (xhr.status < 200 || xhr.status > 299) reject(parseProblem(xhr.status, xhr.statusText, xhr.responseText));
      else resolve(arrivedOf(xhr.getResponseHeader("Upload-Offset"), xhr.getResponseHeader("Content-Location")));
    };
    xhr.open("PATCH", address);
    xhr.setRequestHeader("Content-Type", BYTES);
    xhr.setRequestHeader("Tus-Resumable", TUS["Tus-Resumable"]);
    xhr.setRequestHeader("Upload-Offset", String(offset));
    xhr.send(file.slice(offset));
  }).finally(() => signal.removeEventListener("abort", abort));
}

const arrivedOf = (offset: string | null, became: string | null): Arrived => ({
  offset: Number(offset ?? 0),
  job: became?.startsWith(`${API}/jobs/`) ? became.slice(`${API}/jobs/`.length) : null,
});

const ask = (url: string, init: RequestInit): Promise<Response> => request((...asked) => fetch(...asked), url, init);

const aborted = () => new DOMException("the upload was cancelled", "AbortError");

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(aborted());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", abort, { once: true });
  });
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
