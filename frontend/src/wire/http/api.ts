/** JSON of the service's API, asked and sent. */
import { type Fetch, bytesOf, jsonOf, request } from "./http";

export const API = "/api/v1";
const browserFetch: Fetch = (input, init) => fetch(input, init);

/** Answers the JSON at a path below the API. */
export async function getJson(path: string, signal?: AbortSignal): Promise<unknown> {
  return jsonOf(await request(browserFetch, `${API}${path}`, { signal }));
}

/** Sends a change; answers its JSON, or null where there is none. `revision`: what the change was made from. */
export async function sendJson(method: string, path: string, body?: unknown, revision?: number): Promise<unknown> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (revision !== undefined) headers["If-Match"] = `"r${revision}"`;
  const init: RequestInit = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  const response = await request(browserFetch, `${API}${path}`, init);
  return response.status === 204 ? null : jsonOf(response);
}

/** Brings answers that never change into the browser's cache. */
export async function fetchAhead(urls: readonly string[], signal: AbortSignal): Promise<void> {
  await Promise.all(urls.map(async (url) => bytesOf(await request(browserFetch, url, { signal }))));
}

/** A component of a path. */
export const part = (text: string): string => encodeURIComponent(text);
