/** fetch, with the typed errors of this client. The only caller of `fetch`. */
import { OfflineError, ProblemError, isAbort } from "./errors";
import { renewSignIn, renewalCount } from "./renewal";

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/**
 * Gives an answer of the 2xx kind, or throws OfflineError, ProblemError, or the caller's own abort. A sign-in that has run out is
 * renewed, and the same is asked once more (AC32).
 */
export async function request(fetcher: Fetch, url: string, init: RequestInit = {}): Promise<Response> {
  const before = renewalCount();
  const response = await attempt(fetcher, url, init);
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.problem !== "credentials-expired") throw problem;
  if (renewalCount() === before) await renewSignIn(fetcher);
  const second = await attempt(fetcher, url, init);
  if (!second.ok) throw await problemOf(second);
  return second;
}

async function attempt(fetcher: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetcher(url, init);
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw new OfflineError("the service does not answer", { cause });
  }
}

/**
 * The body of an answer of the 2xx kind, for a worker; null: another came, or none, and the page has to ask, which says why and renews a
 * sign-in. Throws the caller's own abort.
 */
export async function bytesAtOnce(url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const response = await fetch(url, { signal });
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    return null;
  }
}

/** Reads the whole body; a connection that breaks on the way is OfflineError. */
export async function bytesOf(response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw new OfflineError("the connection broke", { cause });
  }
}

/** A problem document, or what can be said of an answer that is none (a proxy's, for instance). */
export async function problemOf(response: Response): Promise<ProblemError> {
  const body = await response.text().catch(() => "");
  return parseProblem(response.status, response.statusText, body);
}

export function parseProblem(status: number, statusText: string, body: string): ProblemError {
  const title = statusText || `HTTP ${status}`;
  try {
    const fields = JSON.parse(body) as Record<string, string | number | null | undefined> | null;
    if (typeof fields !== "object" || fields === null) throw new TypeError("not an object");
    const name =
      String(fields.type ?? "")
        .split("/")
        .pop() || "unknown";
    return new ProblemError(name, status, String(fields.title ?? title), String(fields.detail ?? ""), fields);
  } catch {
    return new ProblemError("unknown", status, title, "");
  }
}
