/** Files on any web server that answers range requests (SH5). */
import { CorruptError, OfflineError, ProblemError, isAbort } from "../http/errors";
import { type Fetch, request } from "../http/http";
import { SlideFileError } from "./errors";
import type { RangeFile, SlideFolder } from "./folder";

const browserFetch: Fetch = (input, init) => fetch(input, init);

/** The folder at an address that ends in a slash. */
export function httpFolder(base: string, fetcher: Fetch = browserFetch): SlideFolder {
  return {
    name: base,
    read: (path, from, to, signal) => readRange(fetcher, base + path, from, to, signal),
    whole: async (path, most, signal) => bounded(await responseOf(fetcher, base + path, { signal }), most, base + path),
  };
}

export function httpFile(url: string, fetcher: Fetch = browserFetch): RangeFile {
  return {
    name: url,
    size: (signal) => sizeOf(fetcher, url, signal),
    read: (from, to, signal) => readRange(fetcher, url, from, to, signal),
  };
}

async function readRange(
  fetcher: Fetch,
  url: string,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (to <= from) return new Uint8Array(0);
  const response = await ranged(fetcher, url, from, to, signal);
  const bytes = await bounded(response, to - from, url);
  if (bytes.length < to - from) throw new CorruptError(`${url}: it ends at byte ${from + bytes.length}`);
  return bytes;
}

/** The answer to a range request, checked as far as the server lets the page see its headers. */
async function ranged(fetcher: Fetch, url: string, from: number, to: number, signal?: AbortSignal): Promise<Response> {
  const response = await responseOf(fetcher, url, { headers: { Range: `bytes=${from}-${to - 1}` }, signal });
  const said = /^bytes (\d+)-/.exec(response.headers.get("Content-Range") ?? "");
  if (response.status === 206 && (said === null || Number(said[1]) === from)) return response;
  discard(response);
  throw new SlideFileError("no-ranges", `${url}: the web server does not answer range requests`);
}

/** Of a file: as the answer to a range tells it, else as the answer to HEAD does: browsers show that one of other sites, too. */
async function sizeOf(fetcher: Fetch, url: string, signal?: AbortSignal): Promise<number> {
  const response = await ranged(fetcher, url, 0, 1, signal);
  discard(response);
  const total = /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1];
  if (total !== undefined) return Number(total);
  const head = await responseOf(fetcher, url, { method: "HEAD", signal });
  const length = Number(head.headers.get("Content-Length") ?? NaN);
  if (!Number.isSafeInteger(length))
    throw new SlideFileError("no-ranges", `${url}: the web server does not tell its size`);
  return length;
}

async function responseOf(fetcher: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await request(fetcher, url, init);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (error.status === 404 || error.status === 410 || error.status === 416)
      throw new CorruptError(`${url}: the web server answers ${error.status}`, { cause: error });
    throw new OfflineError(`${url}: the web server answers ${error.status}`, { cause: error });
  }
}

/** The body, of which no more than `most` bytes are read. */
async function bounded(response: Response, most: number, url: string): Promise<Uint8Array> {
  const tooLarge = new SlideFileError("too-large", `${url}: more than ${most} bytes`);
  const announced = Number(response.headers.get("Content-Length") ?? 0);
  if (announced > most && !response.headers.has("Content-Encoding")) {
    discard(response);
    throw tooLarge;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      size += next.value.length;
      if (size > most) throw tooLarge;
      chunks.push(next.value);
    }
  } catch (cause) {
    void reader?.cancel().catch(() => undefined);
    if (isAbort(cause) || cause === tooLarge) throw cause;
    throw new OfflineError("the connection broke", { cause });
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function discard(response: Response): void {
  void response.body?.cancel().catch(() => undefined);
}
