import { afterEach, describe, expect, it, vi } from "vitest";
import { call, fetchAhead, part } from "./api";
import { OfflineError, ProblemError } from "./errors";
import { problemResponse, stubFetch } from "./fetchStub";

afterEach(() => vi.unstubAllGlobals());

const noSlides = { slides: [], total: 0, page: 1, pages: 0, per_page: 60 };

describe("a call", () => {
  it("leaves out what is undefined, and sends false, 0 and the empty string", async () => {
    const requested = stubFetch(noSlides);
    await call("GET /slides", { query: { page: 0, search: "", sort: undefined, label: [] } });
    expect(requested[0]!.line).toBe("GET /api/v1/slides?page=0&search=");
  });

  it("gives null for an answer without content, whatever its type", async () => {
    stubFetch(null);
    expect(await call("DELETE /trash")).toBeNull();
  });

  it("says that it sends JSON only where there is a body", async () => {
    const headers: (string | null)[] = [];
    const fetcher = (_: string, init: RequestInit = {}) => {
      headers.push(new Headers(init.headers).get("Content-Type"));
      return Promise.resolve(new Response(null, { status: 204 }));
    };
    await call("POST /sign-out", { fetcher });
    await call("DELETE /trash", { fetcher });
    await call("POST /sign-in", { body: { name: "a", password: "b" }, fetcher });
    expect(headers).toEqual([null, null, "application/json"]);
  });

  it("accepts JSON and asks for revision 0 as well", async () => {
    const seen: (string | null)[] = [];
    const fetcher = (_: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      seen.push(headers.get("Accept"), headers.get("If-Match"));
      return Promise.resolve(new Response(null, { status: 204 }));
    };
    await call("DELETE /tours/{tour_id}", { path: { tour_id: "t" }, revision: 0, fetcher });
    expect(seen).toEqual(["application/json", '"r0"']);
  });

  it("passes the caller's abort on", async () => {
    const life = new AbortController();
    const fetcher = (_: string, init: RequestInit = {}) =>
      new Promise<Response>((_, reject) =>
        init.signal!.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))),
      );
    const response = call("GET /slides", { signal: life.signal, fetcher });
    life.abort();
    await expect(response).rejects.toMatchObject({ name: "AbortError" });
  });

  it("tells of a connection that breaks in the middle of the answer", async () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) });
    const fetcher = () => Promise.resolve(new Response(body));
    await expect(call("GET /slides", { fetcher })).rejects.toThrow(OfflineError);
  });
});

describe("fetching ahead", () => {
  it("asks for each address and waits for all", async () => {
    const requested = stubFetch(new Response("a"), new Response("b"));
    await fetchAhead(["/one", "/two"], new AbortController().signal);
    expect(requested.map(({ line }) => line)).toEqual(["GET /one", "GET /two"]);
  });

  it("fails where one of them does", async () => {
    stubFetch(new Response("a"), problemResponse(404, "unknown-slide"));
    await expect(fetchAhead(["/one", "/two"], new AbortController().signal)).rejects.toThrow(ProblemError);
  });
});

it.each([
  ["a/b", "a%2Fb"],
  ["a b?c#d", "a%20b%3Fc%23d"],
  ["..", ".."],
])("a path's component %j is written %s", (text, written) => {
  expect(part(text)).toBe(written);
});
