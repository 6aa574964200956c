/** A stand-in for the browser's fetch, for tests of the clients: it answers with given documents and records what was requested. */
import { vi } from "vitest";

export interface Requested {
  /** `GET /api/v1/slides?page=1` */
  readonly line: string;
  readonly body: unknown;
  /** The If-Match header. */
  readonly revision: string | null;
}

/**
 * Replaces the global fetch. Each request gets the next of `answers`, the last one again and again: a Response as it is, an Error as a
 * failed connection, null as 204, anything else as JSON. Undo it with `vi.unstubAllGlobals()`.
 */
export function stubFetch(...responses: readonly unknown[]): Requested[] {
  const requested: Requested[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    const response = responses[Math.min(requested.length, responses.length - 1)];
    requested.push({
      line: `${init.method ?? "GET"} ${url}`,
      body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : null,
      revision: new Headers(init.headers).get("If-Match"),
    });
    if (response instanceof Error) return Promise.reject(response);
    if (response instanceof Response) return Promise.resolve(response.clone());
    return Promise.resolve(response === null ? new Response(null, { status: 204 }) : Response.json(response));
  });
  return requested;
}

/** A problem document (WI30). */
export function problemResponse(status: number, name: string, detail = name): Response {
  return Response.json({ type: `/problems/${name}`, title: name, detail }, { status });
}
